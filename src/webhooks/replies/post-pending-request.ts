import type { Octokit } from '@octokit/rest';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isNotFound } from '../../github/api-errors.ts';
import type { Trigger } from '../commands/trigger.ts';
import { type Confirmation, readConfirmation, saveConfirmation } from '../records/confirmation.ts';
import { pendingMarker } from '../records/pending-request.ts';
import type { Reply } from './reply.ts';

type Pending = Extract<Reply, { kind: 'pending' }>;

/**
 * Stores a pending request and asks on its thread for confirmation: in the comment that already
 * asks about this head, else in a new one. It is stored first, since an answer may come at once.
 */
export async function postPendingRequest(
  octokit: Octokit,
  trigger: Trigger,
  reply: Pending,
  store: StateStore,
): Promise<void> {
  const { pending } = reply;
  await store.set(stateKeys.pendingRequest(trigger.thread.number, pending.hash), JSON.stringify(pending));
  const before = await readConfirmation(store, trigger);
  const grown = before?.head === pending.head ? withBox(before, reply) : null;
  const saved = (grown && (await edit(octokit, trigger, grown))) ?? (await create(octokit, trigger, reply));
  await saveConfirmation(store, trigger, saved);
}

/** Adds the box of a request below those that are there. */
function withBox(confirmation: Confirmation, { pending, box }: Pending): Confirmation {
  const { text, boxes } = confirmation;
  if (boxes.some(({ means }) => means?.option === pending.hash)) return confirmation;
  const lines = text.trimEnd().split('\n');
  return {
    ...confirmation,
    text: [...lines, box].join('\n'),
    boxes: [...boxes, { line: lines.length, means: { question: 0, option: pending.hash } }],
  };
}

/** Edits the comment that asks; null if it was deleted. */
async function edit(
  octokit: Octokit,
  { repository: { owner, name: repo } }: Trigger,
  confirmation: Confirmation,
): Promise<Confirmation | null> {
  try {
    const { comment_id, text: body } = confirmation;
    const { data } = await octokit.rest.issues.updateComment({ owner, repo, comment_id, body });
    return { ...confirmation, text: data.body ?? body };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function create(
  octokit: Octokit,
  { repository: { owner, name: repo }, thread }: Trigger,
  { pending, body, box }: Pending,
): Promise<Confirmation> {
  const lines = [pendingMarker(pending.hash), ...body.split('\n'), ''];
  const text = [...lines, box].join('\n');
  const { data } = await octokit.rest.issues.createComment({
    ...{ owner, repo, issue_number: thread.number },
    body: text,
  });
  return {
    ...{ version: 1, head: pending.head, comment_id: data.id, url: data.html_url, text: data.body ?? text },
    boxes: [{ line: lines.length, means: { question: 0, option: pending.hash } }],
  };
}
