import { followLine } from '../git/diff.ts';
import { branchHead, git, gitBytes } from '../git/git.ts';
import { type CommitRecord, readCommits } from '../git/read-commit.ts';
import { writeRef } from '../git/refs.ts';
import { ApiError } from '../protocol/api-error.ts';
import { accountOfEmail, noreply } from '../shapes/commit.ts';
import { pageBase } from '../shapes/repository.ts';
import { type Account, isPull, type PullThread, type Repository, timestamp, type World } from '../world.ts';
import { emitThread, updateThread } from './threads.ts';

const zero = '0'.repeat(40);

/** A ref that moved; null if it did not exist before, or does not exist now. */
export interface RefMove {
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Moves a ref and tells it. Throws 422 if it is no longer at `before`: the caller must read it
 * again.
 */
export async function moveRef(
  world: World,
  repository: Repository,
  move: RefMove,
  by: Account,
): Promise<void> {
  const { ref, before, after } = move;
  const args =
    after === null
      ? ['update-ref', '-d', ref, ...(before === null ? [] : [before])]
      : ['update-ref', ref, after, before ?? zero];
  try {
    await git(repository.directory, args);
  } catch (cause) {
    const now = await branchHead(repository.directory, ref.replace(/^refs\/heads\//, ''));
    if (now === before) throw cause;
    throw new ApiError(422, 'Reference cannot be updated: it has moved');
  }
  await refMoved(world, repository, move, by);
}

/** Tells of a ref that has moved already, and brings the pull requests from it up to date. */
export async function refMoved(
  world: World,
  repository: Repository,
  move: RefMove,
  by: Account,
): Promise<void> {
  if (!/^refs\/(heads|tags)\//.test(move.ref)) return;
  await emitPush(world, repository, move, by);
  const branch = /^refs\/heads\/(.+)$/.exec(move.ref)?.[1];
  if (branch === undefined) return;
  const { pushes } = repository;
  if (move.after !== null && !pushes.has(move.after)) pushes.set(move.after, timestamp(world));
  for (const base of world.repositories.values())
    for (const thread of base.threads.filter(isPull))
      if (
        thread.state === 'open' &&
        thread.pull.headRepository === repository &&
        thread.pull.headBranch === branch
      )
        await headMoved(world, thread, move.after, by);
}

async function headMoved(world: World, thread: PullThread, after: string | null, by: Account): Promise<void> {
  if (after === null) {
    await updateThread(world, thread, by, { state: 'closed' });
    return;
  }
  const { pull, repository } = thread;
  const before = pull.headSha;
  await publishHead(thread, after);
  pull.headSha = after;
  pull.baseSha = (await branchHead(repository.directory, pull.baseBranch)) ?? pull.baseSha;
  thread.updatedAt = timestamp(world);
  for (const comment of repository.reviewComments) {
    if (comment.thread !== thread || comment.side === 'LEFT' || comment.line === null) continue;
    const { path } = comment;
    comment.line = await followLine(repository.directory, before, after, path, comment.line);
    if (comment.startLine !== null)
      comment.startLine = await followLine(repository.directory, before, after, path, comment.startLine);
    if (comment.startLine === null && comment.startSide !== null) comment.line = null;
  }
  await emitThread(world, thread, 'synchronize', by, { before, after });
}

/**
 * Creates `refs/pull/N/head` of the base repository for a commit, fetched from the fork if there is
 * one.
 */
export async function publishHead(
  thread: {
    readonly repository: Repository;
    readonly number: number;
    readonly pull: { readonly headRepository: Repository };
  },
  sha: string,
): Promise<void> {
  const { repository, pull } = thread;
  if (pull.headRepository !== repository) await borrow(repository, pull.headRepository, sha);
  await writeRef(repository.directory, `refs/pull/${thread.number}/head`, sha);
}

/** Brings a commit and what it stands on from another repository of the network. */
export async function borrow(into: Repository, from: Repository, sha: string): Promise<void> {
  if (into === from) return;
  const pack = await gitBytes(from.directory, ['pack-objects', '--revs', '--stdout', '-q'], {
    input: `${sha}\n`,
  });
  await gitBytes(into.directory, ['unpack-objects', '-q'], { input: pack });
}

async function emitPush(world: World, repository: Repository, move: RefMove, by: Account): Promise<void> {
  const { before, after } = move;
  const page = pageBase(world, repository);
  const shape = (commit: CommitRecord, files: ReadonlyMap<string, string[]>) => ({
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.author.date,
    url: `${page}/commit/${commit.sha}`,
    author: person(world, commit.author),
    committer: person(world, commit.committer),
    added: files.get('A') ?? [],
    removed: files.get('D') ?? [],
    modified: files.get('M') ?? [],
  });
  const { directory } = repository;
  const range =
    after === null
      ? []
      : before === null
        ? [after, '--not', `refs/heads/${repository.defaultBranch}`]
        : [`${before}..${after}`];
  const known = after === null ? [] : await readCommits(directory, range, ['--reverse', '-20']);
  const newest = known.filter(({ sha }) => sha === after);
  const head = after === null || newest.length > 0 ? newest : await readCommits(directory, [after], ['-1']);
  const commits = await Promise.all(
    known.map(async (commit) => shape(commit, await touched(directory, commit.sha))),
  );
  const last = head[0];
  const onTop = commits.length > 0 && known[0]?.parents.includes(before ?? '') === true;
  const forced =
    !onTop &&
    before !== null &&
    after !== null &&
    (await git(directory, ['rev-list', '-1', `${after}..${before}`])) !== '';
  world.emit({
    event: 'push',
    action: null,
    repository,
    sender: by,
    data: {
      ref: move.ref,
      before: before ?? zero,
      after: after ?? zero,
      created: before === null,
      deleted: after === null,
      forced,
      base_ref: null,
      compare: `${page}/compare/${(before ?? zero).slice(0, 12)}...${(after ?? zero).slice(0, 12)}`,
      commits,
      head_commit:
        last === undefined
          ? null
          : (commits.find(({ id }) => id === last.sha) ?? shape(last, await touched(directory, last.sha))),
      pusher: { name: by.login, email: noreply(by) },
    },
  });
}

function person(world: World, { name, email, date }: { name: string; email: string; date: string }) {
  const account = accountOfEmail(world, email);
  return { name, email, date, ...(account === undefined ? {} : { username: account.login }) };
}

async function touched(directory: string, sha: string): Promise<Map<string, string[]>> {
  const output = await git(directory, [
    'diff-tree',
    '--root',
    '--no-commit-id',
    '--name-status',
    '--no-renames',
    '-r',
    '-z',
    sha,
  ]);
  const fields = output.split('\0').filter((field) => field !== '');
  const result = new Map<string, string[]>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const letter = fields[at] === 'T' ? 'M' : (fields[at] ?? 'M');
    result.set(letter, [...(result.get(letter) ?? []), fields[at + 1] ?? '']);
  }
  return result;
}
