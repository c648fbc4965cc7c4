import type { IncomingEvent } from '../../contract/event.ts';
import { askedKey, type SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isNotFound } from '../../github/api-errors.ts';
import { canWrite } from '../authorize/authorize.ts';
import type { DecidePorts } from '../authorize/decide-ports.ts';
import type { Judged } from '../authorize/judge-event.ts';
import { hashIn } from '../commands/read-command.ts';
import { decidedApprovalKey, readDecidedApproval } from '../records/approval-record.ts';
import { stringAt } from '../triggers/payload-reader.ts';

/**
 * Why an approval, or its refusal, does not count; null where it does. The hash is only a name: what waits is looked up
 * in our own store. It has to be typed by a person who may write, after the request, in a comment that still stands as
 * it was written, and be about the commit that is the head now.
 */
export async function refuseApproval(
  event: IncomingEvent,
  judged: Judged,
  ports: Pick<DecidePorts, 'octokit' | 'store'>,
): Promise<string | null> {
  const { trigger, authorization, waiting, place } = judged;
  const { requester } = authorization;
  if (requester.type !== 'User' || !canWrite(requester))
    return 'Only a person with write permission can decide on an approval.';
  const hash = hashIn(trigger.text);
  const session = waiting?.approval?.hash === hash ? waiting : null;
  if (session === null) return unknownHash(hash ?? '', judged, ports.store);
  const asked = (await ports.store.get(askedKey(session.run_id))) ?? session.saved_at;
  // GitHub tells times in whole seconds.
  if (Date.parse(trigger.at) < Math.floor(Date.parse(asked) / 1000) * 1000)
    return 'This comment is older than the request it would decide on.';
  const changed = await whyChanged(event, judged, ports);
  if (changed !== null) return changed;
  return trigger.kind === 'approve' ? movedHead(session, place.pull?.head.sha ?? place.defaultHead) : null;
}

function movedHead(session: SavedSession, head: string): string | null {
  if (session.base_sha === head) return null;
  const before = session.base_sha?.slice(0, 12) ?? 'another commit';
  return `The approval has lapsed: it was asked for on ${before}, and the head is ${head.slice(0, 12)} now. Nothing was done. With \`deny\` and the same hash the run goes on without the call, and can ask again.`;
}

/** A comment counts as it was sent, and only while it stands: editing or deleting it takes it back. */
export async function whyChanged(
  event: IncomingEvent,
  { trigger }: Judged,
  { octokit }: Pick<DecidePorts, 'octokit'>,
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

async function unknownHash(hash: string, { trigger, waiting }: Judged, store: StateStore): Promise<string> {
  const decided = await readDecidedApproval(store, decidedApprovalKey(trigger, hash));
  if (decided !== null) {
    const verb = decided.verdict === 'approve' ? 'approved' : 'denied';
    return `${decided.by} ${verb} \`${hash}\` already. An approval counts once.`;
  }
  const other = waiting?.approval === undefined ? '' : ` What waits here is \`${waiting.approval.hash}\`.`;
  return `Nothing with the hash \`${hash}\` waits for approval on this thread.${other}`;
}
