import type { RunPlan } from '../../contract/plan.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import { codeSpan } from '../text/markdown.ts';

/** GitHub's answers right before a run is published. */
export interface ScopeFacts {
  readonly installation: 'active' | 'suspended' | 'gone';
  /** The requester's current account; null if there is none of that name. */
  readonly requester: { readonly id: number; readonly type: string; readonly writes: boolean } | null;
  /** The plan's pull request; null if there is none or it was deleted. */
  readonly pull: { readonly state: 'open' | 'closed' | 'merged'; readonly base: string } | null;
}

/** The part of a run that may still be published. */
export type PublishScope =
  /** All of it. */
  | { readonly kind: 'stands' }
  /** Report and findings as a comment; changes as a patch. `reason` continues `Not committed: `. */
  | { readonly kind: 'words'; readonly reason: string }
  /** Nothing. `reason` is a sentence for the log. */
  | { readonly kind: 'nothing'; readonly reason: string };

/**
 * Decides what may be published after changes to the requester, the pull request or the
 * installation. Pure. The requester of a command or of changes must still have write permission. An
 * unrequested review follows the repository's own policy.
 */
export function decidePublishScope(
  plan: Pick<RunPlan, 'requester' | 'thread' | 'checkout' | 'read_only' | 'trigger_comment'>,
  { installation, requester, pull }: ScopeFacts,
): PublishScope {
  if (installation !== 'active') {
    const what = installation === 'gone' ? 'no longer covers the repository' : 'is suspended';
    return { kind: 'nothing', reason: `The installation ${what}, so nothing was published.` };
  }
  const reasons = [lostPermission(plan, requester), otherPull(plan, pull)].filter(
    (reason) => reason !== null,
  );
  return reasons.length === 0 ? { kind: 'stands' } : { kind: 'words', reason: `${reasons.join(', and ')}.` };
}

function lostPermission(
  { requester, read_only, trigger_comment }: Parameters<typeof decidePublishScope>[0],
  current: ScopeFacts['requester'],
): string | null {
  const had = requester.type === 'Bot' || canWrite(requester);
  if (!had || (read_only && trigger_comment === null)) return null;
  if (current === null || current.id !== requester.id)
    return `${requester.login} is not the account any more that asked`;
  // A bot is trusted by its name, in the configuration.
  return requester.type === 'Bot' || current.writes
    ? null
    : `${requester.login} has no write permission any more`;
}

function otherPull(
  { thread, checkout }: Parameters<typeof decidePublishScope>[0],
  pull: ScopeFacts['pull'],
): string | null {
  if (thread?.kind !== 'pull_request') return null;
  if (pull === null) return 'the pull request is gone';
  if (pull.state !== 'open') return `the pull request is ${pull.state}`;
  if (pull.base === checkout.base_ref) return null;
  return `the pull request points at ${codeSpan(pull.base)} now, and the run was about ${codeSpan(checkout.base_ref)}`;
}
