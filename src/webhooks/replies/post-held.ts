import type { Octokit } from '@octokit/rest';
import type { StateStore } from '../../contract/state-store.ts';
import type { Trigger } from '../commands/trigger.ts';
import { type HeldRequest, heldKey, heldMark } from '../records/held-request.ts';
import type { Reply } from './reply.ts';

/** Holds a request and asks on its thread whether it is to run. It is held first: an answer can come at once. */
export async function postHeld(
  octokit: Octokit,
  trigger: Trigger,
  { held, body, box }: Extract<Reply, { kind: 'held' }>,
  store: StateStore,
): Promise<void> {
  const key = heldKey(trigger, held.hash);
  await store.set(key, JSON.stringify(held));
  const lines = [heldMark(held.hash), ...body.split('\n'), ''];
  const { data } = await octokit.rest.issues.createComment({
    owner: trigger.repository.owner,
    repo: trigger.repository.name,
    issue_number: trigger.thread.number,
    body: [...lines, box].join('\n'),
  });
  const posted: HeldRequest['posted'] = {
    version: 1,
    comment_id: data.id,
    url: data.html_url,
    text: data.body ?? '',
    boxes: [{ line: lines.length, means: null }],
  };
  await store.set(key, JSON.stringify({ ...held, posted } satisfies HeldRequest));
}
