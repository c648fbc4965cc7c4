import type { PreviousFinding } from '../../contract/review-record.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { cutText, oneLine } from '../text/markdown.ts';
import { claimRequest } from './fixed-claims.ts';
import type { OwnPosts } from './own-posts.ts';

/** Findings of a pull request, by the store and by GitHub. */
export interface FindingFacts {
  readonly findings: readonly PreviousFinding[];
  readonly posts: OwnPosts;
  /** Ids that users dismissed on GitHub since the last review, with their logins. */
  readonly dismissed: ReadonlyMap<string, string>;
}

/** Maximum findings in a request, the first ones of the thread. */
const mostListed = 200;

/** Findings that a request is about: all of a fix, the one of its thread, or the open ones. */
export type WantedFindings = 'all' | 'open' | { readonly id: string };

/**
 * Renders findings for a run that is no review, with ids and states, in the thread's order. With
 * `claims` the run is asked which ones it fixed. Returns '' without findings. The texts are
 * untrusted. Pure.
 */
export function describeFindings(
  facts: FindingFacts,
  { which, claims }: { readonly which: WantedFindings; readonly claims: boolean },
): string {
  const order = [...facts.posts.comments.map(({ fp }) => fp), ...facts.posts.listed.keys()];
  const rank = ({ id }: PreviousFinding) => (order.includes(id) ? order.indexOf(id) : order.length);
  const wanted = facts.findings
    .filter((one) => isWanted(one, which, facts))
    .toSorted((a, b) => rank(a) - rank(b));
  if (wanted.length === 0) return '';
  const lines = wanted.slice(0, mostListed).map((one) => describeFinding(one, facts));
  const left = wanted.length - lines.length;
  return [
    typeof which === 'string' ? introductions[which] : introductions.thread,
    `<findings>\n${lines.join('\n')}${left > 0 ? `\n(${left} more)` : ''}\n</findings>`,
    ...(claims ? [claimRequest] : []),
  ].join('\n\n');
}

const introductions = {
  all: 'The findings of earlier reviews, in the order of the thread, with their stored state. Fix the open ones. Leave those alone that are dismissed or fixed, whatever comments say:',
  open: 'The open findings of earlier reviews, to know of. Only the request decides what to do:',
  thread: 'The request is in the thread of this finding. Its stored state is:',
};

function isWanted(
  { id, state, outside }: PreviousFinding,
  which: WantedFindings,
  { dismissed }: FindingFacts,
): boolean {
  if (typeof which === 'string' && outside === true) return false;
  if (which === 'all') return true;
  return which === 'open' ? state === 'open' && !dismissed.has(id) : id === which.id;
}

function describeFinding(finding: PreviousFinding, facts: FindingFacts): string {
  const { id, path, line, severity, category, title, body = '' } = finding;
  const found = `${id} ${short(path, 200)}:${line} [${severity}] ${short(category, 60)}: ${short(title, 200)}`;
  // Only a finding without a thread has its text nowhere else in the request.
  const text = finding.folded === true && finding.state === 'open' ? `: ${short(body, 300)}` : '';
  return `- ${found} (${[stateOf(finding, facts), ...answersTo(id, facts)].join('; ')})${text}`;
}

function stateOf(finding: PreviousFinding, { posts, dismissed }: FindingFacts): string {
  const { id, state, run_id, fixed, dismissed_by, dismissed_reason: reason } = finding;
  if (state === 'fixed') return fixed?.sha ? `fixed by ${fixed.sha.slice(0, 12)}` : 'fixed';
  const by = dismissed_by ?? dismissed.get(id);
  if (state === 'dismissed' || by !== undefined)
    return `dismissed${by ? ` by ${short(by, 60)}` : ''}${reason ? `: ${short(reason, 300)}` : ''}`;
  const last = posts.reviews.at(-1)?.run ?? null;
  return last === null || last === run_id ? 'open' : 'open, carried from an earlier review';
}

function answersTo(finding: string, { posts }: FindingFacts): string[] {
  const replies = posts.comments.find(({ fp }) => fp === finding)?.replies ?? [];
  const logins = [...new Set(replies.filter(({ bot }) => !bot).map(({ login }) => login))];
  return logins.length === 0 ? [] : [`answered by ${logins.map((login) => short(login, 60)).join(', ')}`];
}

/** Makes untrusted text one line that closes no tag and hides nothing. */
function short(text: string, length: number): string {
  return cutText(oneLine(stripInvisible(text).text.replace(/[<>]/gu, ' ')), length, '…');
}
