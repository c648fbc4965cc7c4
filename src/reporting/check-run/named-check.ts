import type { Octokit } from '@octokit/rest';
import { oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

/** A check of ours that belongs to a commit, not to a run. */
export interface NamedCheck {
  readonly name: `anode/${string}`;
  readonly state: 'pending' | 'success' | 'failure';
  /** One line. */
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
}

interface NamedCheckPorts {
  readonly octokit: Octokit;
  /** A check run, or where only that is allowed, a commit status. */
  readonly kind: 'check' | 'status';
  readonly ownLogin: string;
}

/**
 * Sets a check of a commit, unless its newest one says the same. A check that ended is never opened
 * again: a new one of the name takes its place, as branch rules read the newest. Throws GitHub's
 * refusals.
 */
export async function setNamedCheck(
  at: { readonly owner: string; readonly repo: string; readonly sha: string },
  check: NamedCheck,
  ports: NamedCheckPorts,
): Promise<void> {
  const title = publicCut(oneLine(check.title), 140, '…');
  if (ports.kind === 'status') await setStatus(at, { ...check, title }, ports);
  else await setCheckRun(at, { ...check, title, summary: publicCut(check.summary, 60_000, '…') }, ports);
}

async function setCheckRun(
  { owner, repo, sha }: { readonly owner: string; readonly repo: string; readonly sha: string },
  { name, state, title, summary }: NamedCheck,
  { octokit, ownLogin }: NamedCheckPorts,
): Promise<void> {
  const { checks } = octokit.rest;
  const { data } = await checks.listForRef({ owner, repo, ref: sha, check_name: name });
  const newest = data.check_runs.find((one) => `${one.app?.slug}[bot]` === ownLogin);
  const isSame =
    newest?.output.title === title &&
    newest.output.summary === summary &&
    (newest.conclusion ?? 'pending') === state;
  if (isSame) return;
  await checks.create({
    ...{ owner, repo, head_sha: sha, name, output: { title, summary } },
    ...(state === 'pending' ? { status: 'in_progress' } : { status: 'completed', conclusion: state }),
  });
}

async function setStatus(
  { owner, repo, sha }: { readonly owner: string; readonly repo: string; readonly sha: string },
  { name, state, title }: NamedCheck,
  { octokit }: NamedCheckPorts,
): Promise<void> {
  const { data } = await octokit.rest.repos.listCommitStatusesForRef({
    owner,
    repo,
    ref: sha,
    per_page: 100,
  });
  const newest = data.find(({ context }) => context === name);
  if (newest?.state === state && newest.description === title) return;
  await octokit.rest.repos.createCommitStatus({ owner, repo, sha, state, context: name, description: title });
}
