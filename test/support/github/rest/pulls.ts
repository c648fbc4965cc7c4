import { pullFiles } from '../actions/anchor.ts';
import { changeBase, openPull } from '../actions/pulls.ts';
import { updateThread } from '../actions/threads.ts';
import { mergeBase } from '../git/diff.ts';
import { readCommits } from '../git/read-commit.ts';
import { ApiError, validationFailed } from '../protocol/api-error.ts';
import { assertMayEdit, permit, reaches } from '../protocol/authorize.ts';
import {
  actorOf,
  appOf,
  bodyOf,
  type Handlers,
  onRepository,
  type RepositoryCall,
} from '../protocol/call.ts';
import { commitShape } from '../shapes/commit.ts';
import { fullPullShape, pullShape } from '../shapes/pull.ts';
import { findAccount, findRepository, isPull, type PullThread, type Repository } from '../world.ts';
import { asText, fileShape } from './commits.ts';
import { accountsOf, pullOf, sorted } from './find.ts';

/** The branch and repository that `head` names: a branch here, or `owner:branch` of the network. */
function headOf(call: RepositoryCall, head: string): { headRepository: Repository; head: string } {
  const { repository, world } = call;
  const [owner, branch] = head.includes(':') ? head.split(':', 2) : [repository.owner.login, head];
  const own = owner?.toLowerCase() === repository.owner.login.toLowerCase();
  const found = own
    ? repository
    : [...world.repositories.values()].find(
        (other) => other.parent === repository && other.owner.login.toLowerCase() === owner?.toLowerCase(),
      );
  const headRepository = found ?? findRepository(world, `${owner}/${repository.name}`);
  if (headRepository === undefined || branch === undefined)
    throw validationFailed('PullRequest', 'head', 'invalid');
  return { headRepository, head: branch };
}

const matchesList = (query: Readonly<Record<string, unknown>>) => (thread: PullThread) => {
  const { state = 'open', head, base } = query;
  const { pull } = thread;
  const label = `${pull.headRepository.owner.login}:${pull.headBranch}`;
  return (
    (state === 'all' || thread.state === state) &&
    // Without an owner GitHub ignores the filter.
    (typeof head !== 'string' || !head.includes(':') || label.toLowerCase() === head.toLowerCase()) &&
    (base === undefined || pull.baseBranch === base)
  );
};

export const pullHandlers: Handlers = {
  'pulls/list': onRepository((call) => {
    permit(call, 'pull_requests', 'read');
    const { world, repository, query } = call;
    const found = repository.threads.filter(isPull).filter(matchesList(query));
    return { status: 200, list: sorted(found, query, 'desc').map((thread) => pullShape(world, thread)) };
  }),

  'pulls/get': onRepository(async (call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'read');
    const { pull, repository } = thread;
    const from = (await mergeBase(repository.directory, pull.baseSha, pull.headSha)) ?? pull.baseSha;
    const text = await asText(call, from, pull.headSha);
    return text ?? { status: 200, body: await fullPullShape(call.world, thread) };
  }),

  'pulls/create': onRepository(async (call) => {
    permit(call, 'pull_requests', 'write');
    const { world, repository, credential } = call;
    const fields = bodyOf<{ title?: string; body?: string; head: string; base: string; draft?: boolean }>(
      call,
    );
    const { headRepository, head } = headOf(call, fields.head);
    if (headRepository.private && !reaches(credential, headRepository))
      throw validationFailed('PullRequest', 'head', 'invalid');
    const by = { account: actorOf(credential), app: appOf(credential) };
    const thread = await openPull(world, repository, by, {
      ...fields,
      title: fields.title ?? '',
      headRepository,
      head,
    });
    return { status: 201, body: await fullPullShape(world, thread) };
  }),

  'pulls/update': onRepository(async (call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'write');
    if (appOf(call.credential) === null) assertMayEdit(call.credential, call.repository, thread.author);
    const actor = actorOf(call.credential);
    const { base, ...fields } = bodyOf<{
      title?: string;
      body?: string | null;
      state?: 'open' | 'closed';
      base?: string;
    }>(call);
    await updateThread(call.world, thread, actor, fields);
    if (base !== undefined) await changeBase(call.world, thread, base, actor);
    return { status: 200, body: await fullPullShape(call.world, thread) };
  }),

  'pulls/request-reviewers': onRepository(async (call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'write');
    const { reviewers = [] } = bodyOf<{ reviewers?: readonly string[] }>(call);
    for (const login of reviewers) {
      const account = findAccount(call.world, login);
      if (account === undefined || !call.repository.roles.has(login.toLowerCase()))
        throw new ApiError(
          422,
          'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.',
        );
      if (account === thread.author)
        throw new ApiError(422, 'Review cannot be requested from pull request author.');
    }
    for (const account of accountsOf(call, reviewers)) thread.pull.reviewers.add(account);
    return { status: 201, body: pullShape(call.world, thread) };
  }),

  'pulls/list-files': onRepository(async (call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'read');
    const files = await pullFiles(call.world, thread);
    return { status: 200, list: files.map((file) => fileShape(call, file, thread.pull.headSha)) };
  }),

  'pulls/list-commits': onRepository(async (call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'read');
    const { world, repository } = call;
    const { baseSha, headSha } = thread.pull;
    const commits = await readCommits(repository.directory, [`${baseSha}..${headSha}`], ['--reverse']);
    const list = commits.slice(0, world.limits.pullCommits);
    return { status: 200, list: list.map((commit) => commitShape(world, repository, commit)) };
  }),

  'pulls/check-if-merged': onRepository((call) => {
    const thread = pullOf(call);
    permit(call, 'pull_requests', 'read');
    if (thread.pull.mergedAt === null) throw new ApiError(404, 'Not Found');
    return { status: 204 };
  }),
};
