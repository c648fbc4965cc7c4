import type { Octokit } from '@octokit/rest';
import { parseJson } from '../../contract/json.ts';
import { ReviewRecord } from '../../contract/review-record.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isNotFound } from '../../github/api-errors.ts';

/** A review thread by its first comment, on a pull request. */
interface ThreadAddress {
  readonly repository: { readonly owner: string; readonly name: string };
  readonly thread: { readonly number: number };
  readonly root: number;
}

/**
 * Returns the finding that a review thread is about; null for a thread of others. Our own account
 * must have written the first comment, and our record of reviews must have the finding. Without a
 * record the comment alone counts.
 */
export async function readThreadFinding(
  { repository, thread, root }: ThreadAddress,
  context: {
    readonly octokit: Octokit;
    readonly store: StateStore;
    readonly ownLogins: readonly string[];
  },
): Promise<{ readonly id: string } | null> {
  const { octokit, store, ownLogins } = context;
  const at = { owner: repository.owner, repo: repository.name, comment_id: root };
  try {
    const { data } = await octokit.rest.pulls.getReviewComment(at);
    if (!ownLogins.includes(data.user?.login ?? '') || data.in_reply_to_id !== undefined) return null;
    const id = findingIn(data.body);
    if (id === null) return null;
    const text = await store.get(stateKeys.review(thread.number));
    const record = text === null ? null : ReviewRecord.safeParse(parseJson(text)).data;
    return record && !record.findings.some((one) => one.id === id) ? null : { id };
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Returns the id of a finding's comment from its marker. A suggested change has no category. */
function findingIn(body: string): string | null {
  const [, fields = ''] = /^<!-- anode:finding v1((?: [a-z_]+=[^\s>]*)*) -->/.exec(body) ?? [];
  return fields.includes(' category=') ? (/ fp=([\w-]{1,100})/.exec(fields)?.[1] ?? null) : null;
}
