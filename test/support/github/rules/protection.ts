import { type GitOptions, git, gitBytes } from '../git/git.ts';
import type { Repository } from '../world.ts';

/**
 * A rule of a protected branch or of a ruleset (GitHub Docs, "About protected branches", "Available
 * rules for rulesets"). An omitted field requires nothing, but deletions and forced pushes are
 * refused unless the field is false: GitHub's default.
 */
export interface Protection {
  /** Which kind: they are refused in other words. */
  readonly kind: 'protected branch' | 'ruleset';
  /** The branches; all where left out. */
  readonly branches?: RegExp;
  /** Changes only by a pull request. */
  readonly pullRequest?: boolean;
  /** "About commit signature verification": commits with a signature that GitHub has verified. */
  readonly signatures?: boolean;
  /** "Managing a merge queue": changes only by the queue. */
  readonly mergeQueue?: boolean;
  /** No one creates such a branch. */
  readonly creation?: boolean;
  /** No one moves such a branch. */
  readonly update?: boolean;
  readonly deletion?: boolean;
  readonly forcePush?: boolean;
}

/** A ref to move, and whether GitHub itself creates, and so signs, the new commits. */
export interface ProtectedMove {
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly signed: boolean;
}

export type ProtectedRepository = Pick<
  Repository,
  'directory' | 'defaultBranch' | 'protections' | 'pushProtection'
>;

export interface Violation {
  readonly kind: Protection['kind'] | 'push protection';
  readonly reason: string;
  /** The commits that the reason is about, where GitHub lists them. */
  readonly commits: readonly string[];
}

/** The secrets that push protection knows here: GitHub's personal tokens, and access keys of AWS. */
const secret = /\bghp_[A-Za-z0-9]{36}\b|\bAKIA[0-9A-Z]{16}\b/;

const reasons = {
  pullRequest: 'Changes must be made through a pull request.',
  mergeQueue: 'Changes must be made through the merge queue',
  signatures: 'Commits must have verified signatures.',
  update: 'Cannot update this protected ref.',
  creation: 'Cannot create ref due to creations being restricted.',
  deletion: 'Cannot delete this branch',
  forcePush: 'Cannot force-push to this branch',
} as const;

/** The rules for omitted fields. */
const byDefault = new Set<string>(['deletion', 'forcePush']);

/** The rules that the move breaks, in their order. `env` is git's, where the new commits are not in the repository yet. */
export async function violations(
  repository: ProtectedRepository,
  move: ProtectedMove,
  env: GitOptions['env'] = {},
): Promise<Violation[]> {
  const { ref, before, after } = move;
  if (!ref.startsWith('refs/heads/')) return [];
  const branch = ref.slice('refs/heads/'.length);
  const found: Violation[] = [];
  for (const rule of repository.protections) {
    if (rule.branches !== undefined && !rule.branches.test(branch)) continue;
    const against = async (name: keyof typeof reasons) => {
      if (rule[name] !== true && (rule[name] === false || !byDefault.has(name))) return false;
      if (name === 'creation') return before === null;
      if (name === 'deletion') return after === null;
      if (name === 'forcePush') return isForced(repository, move, env);
      if (name === 'signatures') return !move.signed && unsigned.length > 0;
      return before !== null && after !== null;
    };
    const unsigned = rule.signatures === true ? await unsignedCommits(repository, move, env) : [];
    for (const name of Object.keys(reasons) as (keyof typeof reasons)[])
      if (await against(name))
        found.push({
          kind: rule.kind,
          reason: reasons[name],
          commits: name === 'signatures' ? unsigned : [],
        });
  }
  if (repository.pushProtection && (await bringsSecret(repository, move, env)))
    found.push({ kind: 'push protection', reason: 'Secret detected in content.', commits: [] });
  return found;
}

type Env = NonNullable<GitOptions['env']>;

async function isForced(
  { directory }: ProtectedRepository,
  { before, after }: ProtectedMove,
  env: Env,
): Promise<boolean> {
  if (before === null || after === null) return false;
  return (await git(directory, ['rev-list', '-1', `${after}..${before}`], { env })) !== '';
}

async function unsignedCommits(
  { directory, defaultBranch }: ProtectedRepository,
  { before, after }: ProtectedMove,
  env: Env,
): Promise<string[]> {
  if (after === null) return [];
  const range = before === null ? [after, '--not', `refs/heads/${defaultBranch}`] : [`${before}..${after}`];
  const commits = (await git(directory, ['rev-list', ...range], { env })).split('\n');
  const unsigned: string[] = [];
  for (const sha of commits.filter((one) => one !== '')) {
    const [head = ''] = (await git(directory, ['cat-file', 'commit', sha], { env })).split('\n\n', 1);
    if (!/^gpgsig/m.test(head)) unsigned.push(sha);
  }
  return unsigned;
}

async function bringsSecret(
  { directory, defaultBranch }: ProtectedRepository,
  { before, after }: ProtectedMove,
  env: Env,
): Promise<boolean> {
  if (after === null) return false;
  const from = before ?? `refs/heads/${defaultBranch}`;
  const diff = await gitBytes(directory, ['diff', '--no-color', '--no-ext-diff', from, after], { env });
  return diff
    .toString('utf8')
    .split('\n')
    .some((line) => line.startsWith('+') && secret.test(line));
}

/**
 * The words of git's remote that refuse a push, without their prefix. Observed (vercel/sandbox, pull request 169): a ruleset names
 * the page of its rules and the commits. `page` is the repository's.
 */
export function pushRefusal(ref: string, found: readonly Violation[], page: string): string {
  const classic = found.every(({ kind }) => kind === 'protected branch');
  const lines = found.map(({ reason }) => reason);
  if (classic) return [`error: GH006: Protected branch update failed for ${ref}.`, ...lines].join('\n');
  const secrets = found.some(({ kind }) => kind === 'push protection');
  const rules = found.flatMap(({ reason, commits }) =>
    commits.length === 0 ? [`- ${reason}`, ''] : [`- ${reason}`, ...listed(commits)],
  );
  return [
    `error: GH013: Repository rule violations found for ${ref}.`,
    `Review all repository rules at ${page}/rules?ref=${encodeURIComponent(ref)}`,
    '',
    ...(secrets ? ['- GITHUB PUSH PROTECTION', ...lines] : rules),
  ].join('\n');
}

const listed = (commits: readonly string[]): string[] => [
  `  Found ${commits.length} violation${commits.length === 1 ? '' : 's'}:`,
  '',
  ...commits.map((sha) => `  ${sha}`),
  '',
];

/** The message that refuses a request of the API; a protected branch and a ruleset have words of their own. */
export function apiRefusal(ref: string, found: readonly Violation[]): string {
  const reasons = found.map(({ reason }) => reason).join('\n');
  return found.every(({ kind }) => kind === 'protected branch')
    ? `protected branch '${ref.replace('refs/heads/', '')}' check failed:\n${reasons}`
    : `Repository rule violations found\n\n${reasons}\n`;
}
