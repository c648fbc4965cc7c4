import type { Octokit } from '@octokit/rest';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Trigger } from '../commands/trigger.ts';
import { type PendingRequest, pendingMarker } from '../records/pending-request.ts';
import type { Reply } from './reply.ts';

/**
 * Stores a pending request and asks on its thread for confirmation. It is stored first, since an
 * answer may come at once.
 */
export async function postPendingRequest(
  octokit: Octokit,
  trigger: Trigger,
  { pending, body, box }: Extract<Reply, { kind: 'pending' }>,
  store: StateStore,
): Promise<void> {
  const key = stateKeys.pendingRequest(trigger.thread.number, pending.hash);
  await store.set(key, JSON.stringify(pending));
  const lines = [pendingMarker(pending.hash), ...body.split('\n'), ''];
  const { data } = await octokit.rest.issues.createComment({
    owner: trigger.repository.owner,
    repo: trigger.repository.name,
    issue_number: trigger.thread.number,
    body: [...lines, box].join('\n'),
  });
  const posted: PendingRequest['posted'] = {
    version: 1,
    comment_id: data.id,
    url: data.html_url,
    text: data.body ?? '',
    boxes: [{ line: lines.length, means: null }],
  };
  await store.set(key, JSON.stringify({ ...pending, posted } satisfies PendingRequest));
}
