import { stateKeys } from '../../contract/state-keys.ts';
import type { PostedBoxes } from '../../contract/thread-records.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import type { EditedComment } from '../commands/trigger.ts';
import { readConfirmation, saveConfirmation } from '../records/confirmation.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { isAnsweredByOneTick, tickedAnswer } from './answer-text.ts';
import { readTicks, setTicks, tickedBoxes } from './read-ticks.ts';

/** Decision on an edit of our question: its answer, or an action without a run. */
export type TicksDecision =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string }
  /** Restores the comment's text; `note` is posted as a reply. */
  | {
      readonly kind: 'restore';
      readonly reason: string;
      readonly comment_id: number;
      readonly body: string;
      readonly note: string | null;
    };

/**
 * Decides on an edit of the comment with the pending question. The edit counts if its author may
 * answer, saw the comment as we stored it, and changed only our boxes. Ticks are stored until they
 * are sent. Any other edit is undone.
 */
export async function decideTicks(
  edited: EditedComment,
  request: EventRequest,
  context: Pick<DecideContext, 'store' | 'settings'>,
): Promise<TicksDecision> {
  const { authorization, waiting, trigger } = request;
  const { store, settings } = context;
  if (trigger.kind === 'continue') return decideConfirmation(edited, request, context);
  const posted = waiting === null ? null : await readBoxes(store, waiting);
  const question = waiting?.question?.question;
  if (posted === null || question === undefined) return { kind: 'none', reason: 'nothing waits here' };
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
  const save = async (text: string): Promise<void> => {
    if (settings.dryRun || waiting === null) return;
    await store.set(
      stateKeys.boxes(waiting.run_id),
      JSON.stringify({ ...posted, text } satisfies PostedBoxes),
    );
  };
  const sent = isAnsweredByOneTick(question) || now.ticked.some(({ means }) => means === null);
  const answer = tickedAnswer(question, now.ticked);
  if (sent && answer.kind === 'whole') {
    await save(now.text);
    return { kind: 'answer', text: answer.text };
  }
  const left = now.ticked.filter(({ means }) => means !== null);
  const text = setTicks(posted, left);
  await save(text);
  if (left.length < now.ticked.length && answer.kind === 'open')
    return restore('the sent answer is not complete', text, answer.problem);
  return { kind: 'none', reason: 'boxes were ticked, and nothing sent yet' };
}

/** Decides a ticked box in the comment that asks to confirm a pending request. */
async function decideConfirmation(
  edited: EditedComment,
  { authorization, trigger }: EventRequest,
  { store, settings }: Pick<DecideContext, 'store' | 'settings'>,
): Promise<TicksDecision> {
  const posted = await readConfirmation(store, trigger);
  if (posted === null) return { kind: 'none', reason: 'nothing is held here' };
  const restore = (reason: string): TicksDecision => {
    return { kind: 'restore', reason, comment_id: posted.comment_id, body: posted.text, note: null };
  };
  if (authorization.kind === 'refused') return restore('whoever ticked may not');
  const now = readTicks(posted, edited);
  if (now.kind === 'changed') return restore(now.reason);
  const before = tickedBoxes(posted);
  const [ticked, ...more] = now.ticked.filter((box) => !before.includes(box));
  if (more.length > 0) return restore('more than one box was ticked at once');
  if (!settings.dryRun) await saveConfirmation(store, trigger, { ...posted, text: now.text });
  if (ticked === undefined) return { kind: 'none', reason: 'nothing is ticked' };
  return { kind: 'answer', text: ticked.means?.option ?? '' };
}
