import type { DecidePorts } from '../authorize/decide-ports.ts';
import type { Judged } from '../authorize/judge-event.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { defaultAnswer } from './answer-text.ts';
import { decideTicks, type TicksDecision } from './decide-ticks.ts';

/** What an event comes to that says its answer in no words: ticks, or a deadline. */
export type AnswerDecision = TicksDecision | { readonly kind: 'told'; readonly words: string };

/** Decides on ticked boxes, reminders and deadlines; null for any other event. */
export async function decideAnswer(
  judged: Judged,
  ports: Pick<DecidePorts, 'store' | 'settings'>,
): Promise<AnswerDecision | null> {
  const { edited, alarm } = judged.trigger;
  if (edited !== undefined) return decideTicks(edited, judged, ports);
  return alarm === undefined ? null : decideAlarm(alarm, judged, ports);
}

/**
 * A question that waits still is reminded of, or goes on with its default or without an answer, as the run of whoever
 * asked for it. On a head that nobody has seen it does not go on by itself.
 */
async function decideAlarm(
  { kind, run_id }: NonNullable<Judged['trigger']['alarm']>,
  { waiting, place, triggers, authorization }: Judged,
  { store }: Pick<DecidePorts, 'store'>,
): Promise<AnswerDecision> {
  const question = waiting?.question?.question;
  if (waiting?.run_id !== run_id || question === undefined)
    return { kind: 'noted', reason: 'the question waits no more' };
  const told = (words: string): AnswerDecision => ({ kind: 'told', words });
  const url = (await readBoxes(store, waiting))?.url;
  const named = url === undefined ? 'The question above' : `[The question above](${url})`;
  const how = `\`/${triggers.mention} answer\``;
  if (kind === 'reminder') return told(`${named} still waits for an answer: ${how}.`);
  if (authorization.kind === 'refused')
    return told(`${named} was not answered in time. It waits on, as ${authorization.reason} ${how} goes on.`);
  if (place.pull !== null && place.pull.head.sha !== waiting.base_sha)
    return told(
      `${named} was not answered in time. It waits on, as the head moved since it was asked: ${how} goes on.`,
    );
  return { kind: 'answer', text: defaultAnswer(question) };
}
