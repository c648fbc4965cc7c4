import type { IncomingEvent } from '../../contract/event.ts';
import { integerAt, isRetargeted, stringAt } from './payload-reader.ts';

/** Actions that give a pull request another head or base. */
const newHead = new Set(['opened', 'reopened', 'synchronize', 'ready_for_review']);

/**
 * Returns the pull request of an event after which its commits, or who approves them, may be
 * others; null for any other event. A review that only comments changes nothing.
 */
export function reviewedPull({ name, payload }: IncomingEvent): {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
  readonly head: string;
} | null {
  const action = stringAt(payload, 'action') ?? '';
  const isPush =
    name === 'pull_request' && (newHead.has(action) || (action === 'edited' && isRetargeted(payload)));
  const isReview =
    name === 'pull_request_review' &&
    (action === 'dismissed' ||
      (action === 'submitted' && stringAt(payload, 'review', 'state') !== 'commented'));
  const owner = stringAt(payload, 'repository', 'owner', 'login');
  const repo = stringAt(payload, 'repository', 'name');
  const number = integerAt(payload, 'pull_request', 'number');
  const head = stringAt(payload, 'pull_request', 'head', 'sha');
  if ((!isPush && !isReview) || owner === null || repo === null || number === null || head === null)
    return null;
  return { owner, repo, number, head };
}
