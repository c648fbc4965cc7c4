import { boxesKey, type PostedBoxes } from '../../contract/thread-records.ts';
import type { DecidePorts } from '../authorize/decide-ports.ts';
import type { Judged } from '../authorize/judge-event.ts';
import type { EditedComment } from '../commands/trigger.ts';
import { type HeldRequest, heldHashIn, heldKey, readHeld } from '../records/held-request.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { isAnsweredByOneTick, tickedAnswer } from './answer-text.ts';
import { readTicks, setTicks } from './read-ticks.ts';

/** What an edit of our question comes to: its answer, or what is done about it in place of a run. */
export type TicksDecision =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'noted'; readonly reason: string }
  /** The comment is to read so again; `note` is told to whoever edited it. */
  | {
      readonly kind: 'restore';
      readonly reason: string;
      readonly comment_id: number;
      readonly body: string;
      readonly note: string | null;
    };

/**
 * What somebody did to the comment with the question that waits. It counts where they may answer, saw the comment as
 * we know it and changed nothing but our boxes; what was ticked is remembered until it is sent. Anything else is put
 * back as it was.
 */
export async function decideTicks(
  edited: EditedComment,
  judged: Judged,
  ports: Pick<DecidePorts, 'store' | 'settings'>,
): Promise<TicksDecision> {
  const { authorization, waiting, trigger } = judged;
  const { store, settings } = ports;
  if (trigger.kind === 'continue') return decideHeld(edited, judged, ports);
  const posted = waiting === null ? null : await readBoxes(store, waiting);
  const question = waiting?.question?.question;
  if (posted === null || question === undefined) return { kind: 'noted', reason: 'nothing waits here' };
  const restore = (reason: string, body = posted.text, note: string | null = null): TicksDecision => ({
    kind: 'restore',
    reason,
    comment_id: posted.comment_id,
    body,
    note,
  });
  if (authorization.kind === 'refused') return restore(authorization.reason);
  const now = readTicks(posted, edited);
  if (now.kind === 'changed') return restore(now.reason);
  const keep = async (text: string): Promise<void> => {
    if (settings.dryRun || waiting === null) return;
    await store.set(boxesKey(waiting.run_id), JSON.stringify({ ...posted, text } satisfies PostedBoxes));
  };
  const sent = isAnsweredByOneTick(question) || now.ticked.some(({ means }) => means === null);
  const answer = tickedAnswer(question, now.ticked);
  if (sent && answer.kind === 'whole') {
    await keep(now.text);
    return { kind: 'answer', text: answer.text };
  }
  const left = now.ticked.filter(({ means }) => means !== null);
  const text = setTicks(posted, left);
  await keep(text);
  if (left.length < now.ticked.length && answer.kind === 'open')
    return restore('what was sent is no whole answer', text, answer.problem);
  return { kind: 'noted', reason: 'boxes were ticked, and nothing sent yet' };
}

/** The same for the comment that asks whether what is held is to run: its one box says yes. */
async function decideHeld(
  edited: EditedComment,
  { authorization, trigger }: Judged,
  { store, settings }: Pick<DecidePorts, 'store' | 'settings'>,
): Promise<TicksDecision> {
  const held = await readHeld(store, trigger, heldHashIn(edited.from));
  const posted = held?.posted ?? null;
  if (held === null || posted === null) return { kind: 'noted', reason: 'nothing is held here' };
  const now = readTicks(posted, edited);
  if (authorization.kind === 'refused' || now.kind === 'changed') {
    const { reason } = now.kind === 'changed' ? now : { reason: 'whoever ticked may not' };
    return { kind: 'restore', reason, comment_id: posted.comment_id, body: posted.text, note: null };
  }
  if (now.ticked.length === 0) return { kind: 'noted', reason: 'nothing is ticked' };
  const kept: HeldRequest = { ...held, posted: { ...posted, text: now.text } };
  if (!settings.dryRun) await store.set(heldKey(trigger, held.hash), JSON.stringify(kept));
  return { kind: 'answer', text: held.hash };
}
