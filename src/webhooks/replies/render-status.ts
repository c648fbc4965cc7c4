import { Severity } from '../../contract/findings.ts';
import type { ThreadStatus } from './read-status.ts';
import { approvalLines } from './render-approvals.ts';

/** Renders the reply to `status`. Pure. */
export function renderStatus(status: ThreadStatus, mention: string): string {
  const { requests, waiting, approvals, review } = status;
  const people = [
    ...waiting.map(({ kind, what, url }) => {
      const label = kind === 'question' ? 'A question' : 'A yes to this request';
      return `- ${url === null ? label : `[${label}](${url})`}: ${what}`;
    }),
    ...approvalLines(approvals, mention),
  ];
  return [
    `**Status of this ${review === null ? 'issue' : 'pull request'}**`,
    '',
    ...runLines(requests),
    ...(review === null ? [] : reviewLines(review)),
    ...(people.length === 0
      ? ['- **Waits for you:** nothing.']
      : ['- **Waits for you:**', ...people.map((line) => `  ${line}`)]),
  ].join('\n');
}

function runLines(requests: ThreadStatus['requests']): string[] {
  const count = (state: string) => requests.filter((one) => one.state === state).length;
  if (requests.length === 0) return ['- **Runs:** none works or waits.'];
  return [
    `- **Runs:** ${count('works')} at work, ${count('waits')} waiting.`,
    ...requests.map(({ state, what }) => `  - ${what}: ${state}`),
  ];
}

function reviewLines(review: NonNullable<ThreadStatus['review']>): string[] {
  const { open, reviewed, head, summaryUrl, runs, costUsd, isCostPartial } = review;
  const counts = Severity.options
    .toReversed()
    .map((severity) => ({ severity, count: open.filter((one) => one === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`);
  const findings = open.length === 0 ? 'none open' : `${open.length} open: ${counts.join(', ')}`;
  const summary = summaryUrl === null ? '' : ` [Summary](${summaryUrl})`;
  const cost = `${isCostPartial ? 'at least ' : ''}$${costUsd.toFixed(costUsd >= 0.1 || costUsd === 0 ? 2 : 4)}`;
  return [
    `- **Findings:** ${findings}.${summary}`,
    `- **Reviewed:** ${reviewedUpTo(reviewed, head)}`,
    `- **Cost so far:** ${cost} in ${runs} ${runs === 1 ? 'run' : 'runs'} that ended.`,
  ];
}

function reviewedUpTo(reviewed: string | null, head: string): string {
  const short = (sha: string) => `\`${sha.slice(0, 7)}\``;
  if (reviewed === null) return `not yet. The head is ${short(head)}.`;
  if (reviewed === head) return `up to ${short(reviewed)}, the head.`;
  return `up to ${short(reviewed)}. The head is ${short(head)}.`;
}
