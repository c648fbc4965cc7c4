import { writeCommit } from '../git/commit.ts';
import { branchHead, git } from '../git/git.ts';
import { ApiError, validationFailed } from '../protocol/api-error.ts';
import { noreply } from '../shapes/commit.ts';
import {
  type Account,
  isPull,
  type PullThread,
  type Repository,
  type Thread,
  timestamp,
  type World,
} from '../world.ts';
import { borrow, moveRef, publishHead } from './refs.ts';
import { assertBody, assertTitle, closingNumbers } from './text-rules.ts';
import { type Author, addThread, emitThread, record, updateThread } from './threads.ts';

export interface NewPull {
  readonly title: string;
  readonly body?: string | null | undefined;
  readonly headRepository: Repository;
  readonly head: string;
  readonly base: string;
  readonly draft?: boolean | undefined;
}

/** Opens a pull request by GitHub's rules: both branches exist, differ, and have no open one between them. */
export async function openPull(
  world: World,
  repository: Repository,
  by: Author,
  fields: NewPull,
): Promise<PullThread> {
  const { headRepository, head, base } = fields;
  assertTitle('PullRequest', fields.title);
  assertBody('PullRequest', fields.body);
  const headSha = await branchHead(headRepository.directory, head);
  const baseSha = await branchHead(repository.directory, base);
  if (headSha === null) throw validationFailed('PullRequest', 'head', 'invalid');
  if (baseSha === null) throw validationFailed('PullRequest', 'base', 'invalid');
  await borrow(repository, headRepository, headSha);
  const ahead = await git(repository.directory, ['rev-list', '-1', `${baseSha}..${headSha}`]);
  if (ahead === '') throw custom(`No commits between ${base} and ${head}`);
  const label = `${headRepository.owner.login}:${head}`;
  if (findOpenPull(repository, headRepository, head, base) !== undefined)
    throw custom(`A pull request already exists for ${label}.`);
  const thread = addThread(world, repository, by, {
    title: fields.title,
    body: fields.body ?? null,
    pull: {
      headRepository,
      headBranch: head,
      headSha,
      baseBranch: base,
      baseSha,
      draft: fields.draft ?? false,
      reviewers: new Set(),
      mergedAt: null,
      mergeCommit: null,
    },
  });
  if (!isPull(thread)) throw new Error('A new pull request lost its branches');
  await publishHead(thread, headSha);
  await emitThread(world, thread, 'opened', by.account);
  return thread;
}

const custom = (message: string) =>
  new ApiError(422, 'Validation Failed', [{ resource: 'PullRequest', code: 'custom', message }]);

function findOpenPull(repository: Repository, headRepository: Repository, head: string, base: string) {
  return repository.threads
    .filter(isPull)
    .find(
      ({ state, pull }) =>
        state === 'open' &&
        pull.headRepository === headRepository &&
        pull.headBranch === head &&
        pull.baseBranch === base,
    );
}

/** Points a pull request at another base branch. */
export async function changeBase(world: World, thread: PullThread, base: string, by: Account): Promise<void> {
  const { pull, repository } = thread;
  if (pull.baseBranch === base) return;
  const baseSha = await branchHead(repository.directory, base);
  if (baseSha === null) throw validationFailed('PullRequest', 'base', 'invalid');
  const changes = { base: { ref: { from: pull.baseBranch }, sha: { from: pull.baseSha } } };
  pull.baseBranch = base;
  pull.baseSha = baseSha;
  thread.updatedAt = timestamp(world);
  await emitThread(world, thread, 'edited', by, { changes });
}

/** Merges a pull request into its base with a merge commit, and closes it. Throws 405 for a conflict. */
export async function mergePull(world: World, thread: PullThread, by: Account): Promise<void> {
  const { pull, repository } = thread;
  const { directory } = repository;
  const before = (await branchHead(directory, pull.baseBranch)) ?? pull.baseSha;
  const tree = await git(directory, ['merge-tree', '--write-tree', before, pull.headSha]).catch(() => {
    throw new ApiError(405, 'Pull Request is not mergeable');
  });
  const sha = await writeCommit(directory, {
    tree,
    parents: [before, pull.headSha],
    message: `Merge pull request #${thread.number} from ${pull.headRepository.owner.login}/${pull.headBranch}\n\n${thread.title}`,
    author: { name: by.login, email: noreply(by), date: timestamp(world) },
  });
  pull.mergedAt = timestamp(world);
  pull.mergeCommit = sha;
  record(world, thread, 'merged', by);
  await moveRef(world, repository, { ref: `refs/heads/${pull.baseBranch}`, before, after: sha }, by);
  await updateThread(world, thread, by, { state: 'closed' });
}

/** Makes a pull request a draft or ready; already so changes nothing. */
export async function setDraft(world: World, thread: PullThread, draft: boolean, by: Account): Promise<void> {
  if (thread.pull.draft === draft) return;
  thread.pull.draft = draft;
  thread.updatedAt = timestamp(world);
  const action = draft ? 'converted_to_draft' : 'ready_for_review';
  record(world, thread, action === 'ready_for_review' ? action : 'convert_to_draft', by);
  await emitThread(world, thread, action, by);
}

/** The issues that a pull request into the default branch closes when it is merged. */
export function closingIssues(thread: PullThread): Thread[] {
  const { repository, pull } = thread;
  if (pull.baseBranch !== repository.defaultBranch) return [];
  return closingNumbers(thread.body).flatMap((number) =>
    repository.threads.filter((other) => other.number === number && other.pull === null),
  );
}
