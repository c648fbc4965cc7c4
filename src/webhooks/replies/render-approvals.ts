import { shortCode } from '../commands/request-quote.ts';
import type { OpenApproval } from '../records/open-approvals.ts';

/**
 * Renders the reply to `approve` and `deny` without a hash: what waits, with the words to copy.
 * `problem` is the sentence on a hash that is none; null without one. Pure.
 */
export function renderOpenApprovals(
  approvals: readonly OpenApproval[],
  { mention, problem }: { readonly mention: string; readonly problem: string | null },
): string {
  const open = approvalLines(approvals, mention);
  const list =
    open.length === 0
      ? ['Nothing waits for approval on this thread.']
      : ['This waits for approval. Copy a command into a comment of its own:', '', ...open];
  const lapsed = approvals.some((one) => one.kind === 'plan' && one.lapsed)
    ? ['', `An earlier plan has lapsed, since the head moved. \`/${mention} plan\` makes a new one.`]
    : [];
  return [...(problem === null ? [] : [problem, '']), ...list, ...lapsed].join('\n');
}

/** Renders what waits for approval as a list, without plans that have lapsed. */
export function approvalLines(approvals: readonly OpenApproval[], mention: string): string[] {
  return approvals
    .filter(({ kind, lapsed }) => kind === 'call' || !lapsed)
    .map(({ kind, what, hash, lapsed }) => {
      const deny = `\`/${mention} deny ${hash}\``;
      const how = lapsed
        ? `has lapsed, since the head moved. ${deny} lets its run go on without it`
        : `\`/${mention} approve ${hash}\` or ${deny}`;
      return `- The ${kind} ${shortCode(what)}: ${how}.`;
    });
}
