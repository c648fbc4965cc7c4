import type { IncomingEvent } from '../../contract/event.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import type { SavedSession } from '../../contract/session.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { hashIn } from '../commands/read-command.ts';
import { readDecidedApproval } from '../records/approval-record.ts';
import { stringAt } from '../triggers/payload-reader.ts';

/**
 * Returns why an approval or denial does not count; null if it does. The hash is only a name,
 * looked up in our own store. A person with write permission must have typed it after the request.
 * The comment must be unedited, and the commit must be the current head.
 */
export async function refuseApproval(
  event: IncomingEvent,
  request: EventRequest,
  context: Pick<DecideContext, 'octokit' | 'store'>,
): Promise<string | null> {
  const { trigger, authorization, waiting, facts } = request;
  const { requester } = authorization;
  if (requester.type !== 'User' || !canWrite(requester))
    return 'Only a person with write permission can decide on an approval.';
  const hash = hashIn(trigger.text);
  const session = waiting?.approval?.hash === hash ? waiting : null;
  if (session === null) return unknownHash(hash ?? '', request, context.store);
  const askedAt = (await context.store.get(stateKeys.asked(session.run_id))) ?? session.saved_at;
  // GitHub's times are in whole seconds.
  if (Date.parse(trigger.at) < Math.floor(Date.parse(askedAt) / 1000) * 1000)
    return 'This comment is older than the request that it answers.';
  const changed = await editedCommentReason(event, request, context);
  if (changed !== null) return changed;
  return trigger.kind === 'approve' ? movedHead(session, facts.pull?.head.sha ?? facts.baseHead) : null;
}

function movedHead(session: SavedSession, head: string): string | null {
  if (session.base_sha === head) return null;
  const before = session.base_sha?.slice(0, 12) ?? 'another commit';
  return `The approval has lapsed: it was asked for on ${before}, and the head is ${head.slice(0, 12)} now. Nothing was done. With \`deny\` and the same hash the run goes on without the call, and can ask again.`;
}

/**
 * Returns why a comment decides nothing: it was edited or deleted. Null if it is as it was sent.
 */
export async function editedCommentReason(
  event: IncomingEvent,
  { trigger }: EventRequest,
  { octokit }: Pick<DecideContext, 'octokit'>,
): Promise<string | null> {
  const { comment } = trigger;
  if (comment === null) return 'Decide on an approval in a comment of its own, not in a review.';
  const at = { owner: trigger.repository.owner, repo: trigger.repository.name, comment_id: comment.id };
  try {
    const { data } =
      comment.kind === 'issue_comment'
        ? await octokit.rest.issues.getComment(at)
        : await octokit.rest.pulls.getReviewComment(at);
    const same =
      data.body === stringAt(event.payload, 'comment', 'body') && data.updated_at === data.created_at;
    return same ? null : 'The comment was edited. An edited comment decides nothing: write a new one.';
  } catch (error) {
    if (isNotFound(error)) return 'The comment was deleted, so nothing was done.';
    throw error;
  }
}

async function unknownHash(
  hash: string,
  { trigger, waiting }: EventRequest,
  store: StateStore,
): Promise<string> {
  const decided = await readDecidedApproval(store, stateKeys.approval(trigger.thread.number, hash));
  if (decided !== null) {
    const verb = decided.verdict === 'approve' ? 'approved' : 'denied';
    return `${decided.by} ${verb} \`${hash}\` already. An approval counts once.`;
  }
  const other =
    waiting?.approval === undefined ? '' : ` The pending request is \`${waiting.approval.hash}\`.`;
  return `Nothing with the hash \`${hash}\` waits for approval on this thread.${other}`;
}
