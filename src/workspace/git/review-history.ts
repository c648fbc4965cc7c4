import { type SimpleGit, simpleGit } from 'simple-git';
import { gitEnvironment } from './git-environment.ts';
import type { OwnGit } from './own-git.ts';
import { type GitLocation, gitText, locationVariables, runGit } from './run-git.ts';

/** Longer files are not read; their findings are matched by lines of the diff. */
const longestText = 1024 * 1024;

/** Returns a file's text at a commit, up to 1 MiB; null if missing or binary. */
export async function readTextAt(git: OwnGit, sha: string, path: string): Promise<string | null> {
  if (!isTreePath(path)) return null;
  const entry = await gitText(['--literal-pathspecs', 'ls-tree', '-l', '--full-tree', sha, '--', path], git);
  // Mode 100 is a regular file, 120 a link, 160 a submodule.
  const [, object, size] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t/.exec(entry) ?? [];
  if (object === undefined || Number(size) > longestText) return null;
  const text = await gitText(['cat-file', 'blob', object], git);
  return text.includes('\0') ? null : text;
}

/** False for paths that no tree can have and git fails on: a model may name any path. */
function isTreePath(path: string): boolean {
  return !path.includes('\0') && path.length <= 4_096 && !/^\/|\/$|(?:^|\/)\.\.?(?:\/|$)/.test(path);
}

/**
 * Returns the newest 50 commits after `base` up to `head` that touched one of some files, newest
 * first, with their parents.
 */
export async function commitsOn(
  git: OwnGit,
  base: string,
  head: string,
  paths: readonly string[],
): Promise<readonly { readonly sha: string; readonly parents: readonly string[] }[]> {
  const named = paths.filter(isTreePath);
  if (named.length === 0) return [];
  const range = ['--topo-order', '--format=%H %P', '--max-count=50', `${base}..${head}`];
  const text = await brokerGit(git).raw(['--literal-pathspecs', 'log', ...range, '--', ...named]);
  return text
    .split('\n')
    .map((line) => line.split(' ').filter((sha) => sha !== ''))
    .flatMap(([sha, ...parents]) => (sha === undefined ? [] : [{ sha, parents }]));
}

/** Returns true if a commit, named by its id, is in the object store. */
export async function hasCommit(git: OwnGit, sha: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(sha)) return false;
  const { exitCode } = await runGit(['cat-file', '-e', `${sha}^{commit}`], { ...git, accept: [1, 128] });
  return exitCode === 0;
}

/**
 * Returns the subjects of the newest 20 commits after `base` up to `head`, newest first, without
 * merges. They are untrusted text.
 */
export async function headlinesBetween(git: OwnGit, base: string, head: string): Promise<readonly string[]> {
  const range = ['--no-merges', '--format=%s', '--max-count=20', `${base}..${head}`];
  return (await brokerGit(git).raw(['log', ...range, '--'])).split('\n').filter((line) => line.trim() !== '');
}

/** Returns the merge base of two commits; the first itself without one. */
export async function mergeBaseOf(git: OwnGit, base: string, head: string): Promise<string> {
  return (await brokerGit(git).raw(['merge-base', base, head])).trim() || base;
}

/** Commits of a range whose changes are compared. */
const mostCompared = 250;

/**
 * Returns the commit after `base` up to `head` that is `sha`, or makes the same change, as after a
 * rebase. Null for none, or if `sha` is gone.
 */
export async function commitNow(
  git: OwnGit,
  { base, head }: { readonly base: string; readonly head: string },
  sha: string,
): Promise<string | null> {
  if (!(await hasCommit(git, sha))) return null;
  const ancestry = ['merge-base', '--is-ancestor', sha, head];
  if ((await runGit(ancestry, { ...git, accept: [1] })).exitCode === 0) return sha;
  const [own] = await patchIds(git, ['--no-walk', sha]);
  if (own === undefined) return null;
  const range = [`--max-count=${mostCompared}`, `${base}..${head}`];
  return (await patchIds(git, range)).find(({ id }) => id === own.id)?.sha ?? null;
}

/** Returns the ids of the changes of commits without merges (git-patch-id(1)), newest first. */
async function patchIds(git: OwnGit, range: readonly string[]) {
  const log = ['log', '--no-merges', '-p', '--no-ext-diff', '--no-textconv', '--format=commit %H'];
  const patches = (await runGit([...log, ...range, '--'], git)).stdout;
  const { stdout } = await runGit(['patch-id', '--stable'], { ...git, stdin: patches });
  return stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([id, sha]) => (id === undefined || sha === undefined ? [] : [{ id, sha }]));
}

/** Maps file names in `from` to their new names in `to`, for renamed files. */
export async function renamedBetween(
  git: OwnGit,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, string>> {
  const options = ['-r', '-M', '-z', '--name-status', '--diff-filter=R'];
  const fields = (await brokerGit(git).raw(['diff-tree', ...options, from, to])).split('\0');
  const names = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) names.set(fields[at + 1] ?? '', fields[at + 2] ?? '');
  return names;
}

/** Start of the trailer in commits of runs. */
const trailer = /^Anode-Run: /m;

/**
 * True if `head` has an unmerged commit of a run over `base`: a model wrote it, perhaps for a
 * stranger. Both commits must be present with the history between them.
 */
export async function hasOwnCommits(git: OwnGit, base: string, head: string): Promise<boolean> {
  return trailer.test(await brokerGit(git).raw(['log', '--format=%B', `${base}..${head}`, '--']));
}

/**
 * simple-git refuses variables that could make git start programs. Ours disable that, so exactly
 * these are allowed.
 */
const lettingOurSettingsThrough = {
  allowUnsafeConfigPaths: true,
  allowUnsafeConfigEnvCount: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafePager: true,
  allowUnsafeAskPass: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeSubmodule: true,
};

/** Deadline of one command; reading a history takes far less. */
const deadlineMs = 600_000;

/**
 * Opens git on one of our own repositories, for its history. Uses the broker's environment (see
 * `gitEnvironment`) without credentials. Commands end after ten minutes; a failed one throws
 * simple-git's `GitError`.
 *
 * Use `runGit` for contents, input, locks, credentials or exit codes; it also bounds memory.
 */
function brokerGit(git: GitLocation): SimpleGit {
  const environment = { ...gitEnvironment(), ...locationVariables(git) };
  return simpleGit({
    baseDir: git.cwd,
    unsafe: lettingOurSettingsThrough,
    allowEnvironment: Object.keys(environment),
    timeout: { block: deadlineMs, stdOut: false, stdErr: false },
  }).env(environment);
}
