import { type CommitFacts, type TrustedSigners, verifyCommit } from '../../evidence/verify-commit.ts';
import type { NamedCheck } from '../../reporting/check-run/named-check.ts';
import { countOf } from '../../reporting/text/markdown.ts';

/** A commit that names a run of ours, with its stored attestation; null without one. */
export interface AgentCommit extends CommitFacts {
  readonly attestation: string | null;
}

/** The newest review of an account that approves or asks for changes. */
export interface HeadApproval {
  readonly login: string;
  /** True for a person who may push. */
  readonly counts: boolean;
  /** The head that was approved. */
  readonly sha: string;
}

/** The commits of a pull request, as far as GitHub lists them. */
export interface AgentCommits {
  readonly head: string;
  readonly commits: readonly AgentCommit[];
  /** False if GitHub listed only a part. */
  readonly complete: boolean;
}

/** GitHub Docs, "List commits on a pull request": it lists no more. */
export const mostCommits = 250;

const tooMany = `The pull request has more than ${mostCommits} commits, and GitHub lists no more of them.`;

/**
 * Decides whether each commit of a run is the one that was attested. A commit that was changed,
 * rebased or made without a key fails. Pure.
 */
export function decideProvenance({ commits, complete }: AgentCommits, trusted: TrustedSigners): NamedCheck {
  const name = 'anode/provenance';
  if (!complete) return { name, state: 'failure', title: 'Too many commits to check', summary: tooMany };
  if (commits.length === 0)
    return { name, state: 'success', title: 'No commit is by a run', summary: 'No commit names a run.' };
  if (trusted.publicKeys.length === 0 && trusted.openBundle === null) {
    const summary =
      'Set `agentCommits.publicKeys` or `agentCommits.identities`, or `ANODE_SIGNING_KEY` where runs are made.';
    return { name, state: 'failure', title: 'No key to check with', summary };
  }
  const verdicts = commits.map((commit) => ({
    sha: commit.sha,
    problems: verifyCommit(commit, commit.attestation, trusted).problems,
  }));
  const bad = verdicts.filter(({ problems }) => problems.length > 0);
  const summary = verdicts
    .map(({ sha, problems }) => `- ${sha}: ${problems.length === 0 ? 'as attested' : problems.join(' ')}`)
    .join('\n');
  if (bad.length === 0)
    return { name, state: 'success', title: `${countOf(commits.length, 'commit')} as attested`, summary };
  const title = `${bad.length} of ${countOf(commits.length, 'commit')} not as attested`;
  const remedy =
    'Somebody changed or rebased these commits, or they were not attested when they were made. Ask for the change again, or let people take it over by commits of their own.';
  return { name, state: 'failure', title, summary: `${summary}\n\n${remedy}` };
}

/**
 * Decides whether enough people approved the head of a pull request with commits of runs. Whoever
 * asked for one of the runs does not count, nor does a bot, or a person who may not push. Pure.
 */
export function decideApprovals(
  { head, commits, complete }: AgentCommits,
  approvals: readonly HeadApproval[],
  { needed, trusted }: { readonly needed: number; readonly trusted: TrustedSigners },
): NamedCheck {
  const name = 'anode/approvals';
  if (complete && commits.length === 0)
    return { name, state: 'success', title: 'No commit is by a run', summary: 'No commit names a run.' };
  const askers = new Set(commits.flatMap((commit) => askersOf(commit, trusted)));
  const valid = approvals.filter(
    ({ login, counts, sha }) => counts && sha === head && !askers.has(fold(login)),
  );
  const by = valid.map(({ login }) => login);
  const approved = by.length === 0 ? '' : `Approved by ${by.join(', ')}.`;
  if (valid.length >= needed)
    return { name, state: 'success', title: approved.slice(0, -1), summary: approved };
  const title = `${valid.length} of ${countOf(needed, 'approval')}`;
  const rule = `A run made ${countOf(commits.length, 'commit')} here, so ${countOf(needed, 'person', 'people')} must approve the head ${head}.`;
  const except =
    askers.size === 0
      ? 'Bots do not count.'
      : `Bots do not count, nor ${[...askers].join(', ')}, who asked for it.`;
  return {
    name,
    state: 'pending',
    title,
    summary: [rule, except, approved].filter((one) => one !== '').join(' '),
  };
}

/** Logins that asked for a commit: its attestation is believed, else its co-authors. */
function askersOf(commit: AgentCommit, trusted: TrustedSigners): string[] {
  const { statement, problems } = verifyCommit(commit, commit.attestation, trusted);
  const attested = problems.length === 0 ? (statement?.predicate.requester ?? '') : '';
  const named = [...commit.message.matchAll(coAuthor)].map(([, login]) => login ?? '');
  return [attested, ...named].filter((login) => login !== '').map(fold);
}

/** Source: GitHub Docs, "Creating a commit with multiple authors": private addresses. */
const coAuthor = /^Co-authored-by: .*<(?:\d+\+)?([A-Za-z0-9-]+)@users\.noreply\./gmu;

/** GitHub compares logins without case. */
const fold = (login: string): string => login.toLowerCase();
