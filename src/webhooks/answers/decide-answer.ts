import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { defaultAnswer } from './answer-text.ts';
import { decideTicks, type TicksDecision } from './decide-ticks.ts';

/** Decision on an event that answers without text: ticks or a deadline. */
type AnswerDecision = TicksDecision | { readonly kind: 'reply'; readonly text: string };

/** Decides on ticked boxes, reminders and deadlines; returns null for any other event. */
export async function decideAnswer(
  request: EventRequest,
  context: Pick<DecideContext, 'store' | 'settings'>,
): Promise<AnswerDecision | null> {
  const { edited, timer } = request.trigger;
  if (edited !== undefined) return decideTicks(edited, request, context);
  return timer === undefined ? null : decideTimer(timer, request, context);
}

/**
 * Posts a reminder of a pending question, or continues its run with the defaults. The run belongs
 * to the person who asked for it. On a moved head, someone must answer.
 */
async function decideTimer(
  { kind, run_id }: NonNullable<EventRequest['trigger']['timer']>,
  { waiting, facts, triggers, authorization }: EventRequest,
  { store }: Pick<DecideContext, 'store'>,
): Promise<AnswerDecision> {
  const question = waiting?.question?.question;
  if (waiting?.run_id !== run_id || question === undefined)
    return { kind: 'none', reason: 'the question waits no more' };
  const notice = (text: string): AnswerDecision => ({ kind: 'reply', text });
  const url = (await readBoxes(store, waiting))?.url;
  const named = url === undefined ? 'The question above' : `[The question above](${url})`;
  const how = `\`/${triggers.mention} answer\``;
  if (kind === 'reminder') return notice(`${named} still waits for an answer: ${how}.`);
  if (authorization.kind === 'refused')
    return notice(
      `${named} was not answered in time. It keeps waiting, as ${authorization.reason} ${how} continues.`,
    );
  if (facts.pull !== null && facts.pull.head.sha !== waiting.base_sha)
    return notice(
      `${named} was not answered in time. It keeps waiting, as the head moved since it was asked: ${how} continues.`,
    );
  return { kind: 'answer', text: defaultAnswer(question) };
}
