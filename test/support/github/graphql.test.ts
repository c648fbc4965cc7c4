import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadApi } from './protocol/api.ts';
import { octokitFor, samplePath, shop, startShop } from './shop.ts';

const api = loadApi();
let world: Awaited<ReturnType<typeof startShop>>;

beforeEach(async () => {
  world = await startShop({ api });
});

afterEach(async () => {
  const problems = world.github.problems();
  await world.github.close();
  expect(problems).toEqual([]);
});

const createCommit = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid message author { name email } } }
}`;

const input = (expectedHeadOid: string, fileChanges: object, headline = 'Change it') => ({
  input: {
    branch: { repositoryNameWithOwner: 'acme/shop', branchName: 'fix' },
    expectedHeadOid,
    message: { headline, body: 'Co-authored-by: ann <ann@example.com>' },
    fileChanges,
  },
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The errors of a refused document: type and message. */
const errorsOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof Error) || !('errors' in error)) throw error;
  return (error.errors as { type?: string; message: string }[]).map(({ type, message }) => ({
    type,
    message,
  }));
};

describe('createCommitOnBranch', () => {
  it('makes a real commit by the bot with its trailers, on the expected head', async () => {
    const { bot, repository, pull } = world;
    const changes = {
      additions: [{ path: 'new.txt', contents: base64('new\n') }],
      deletions: [{ path: 'README.md' }],
    };
    const data = await bot.graphql<{ createCommitOnBranch: { commit: { oid: string } } }>(
      createCommit,
      input(pull.headSha, changes),
    );
    const { oid } = data.createCommitOnBranch.commit;
    const { id } = world.github.addUser('anode[bot]');
    expect(await repository.git('log', '-1', '--format=%H|%P|%an|%ae|%cn|%B', 'fix')).toBe(
      `${oid}|${pull.headSha}|anode[bot]|${id}+anode[bot]@users.noreply.github.com|GitHub|Change it\n\nCo-authored-by: ann <ann@example.com>`,
    );
    expect(await repository.git('show', '--name-status', '--format=', 'fix')).toBe(
      'D\tREADME.md\nA\tnew.txt',
    );
    expect(repository.pulls().map(({ headSha }) => headSha)).toEqual([oid]);
  });

  it('refuses a head that has moved, and changes nothing', async () => {
    const { bot, repository, pull } = world;
    const moved = await repository.commit('fix', {
      files: { 'other.txt': 'o\n' },
      message: 'Meanwhile',
      author: 'ann',
    });
    const call = bot.graphql(
      createCommit,
      input(pull.headSha, { additions: [{ path: 'a', contents: base64('a') }] }),
    );
    expect(await errorsOf(call)).toEqual([
      {
        type: 'STALE_DATA',
        message: `Expected branch to point to "${pull.headSha}" but it did not. Pull and try again.`,
      },
    ]);
    expect(await repository.head('fix')).toBe(moved);
  });

  it('accepts one of two simultaneous commits', async () => {
    const { bot, repository, pull } = world;
    const commit = (path: string) =>
      bot.graphql(createCommit, input(pull.headSha, { additions: [{ path, contents: base64(path) }] }));
    const results = await Promise.allSettled([commit('one'), commit('two')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await repository.git('rev-list', '--count', `${pull.headSha}..fix`)).toBe('1');
  });

  it.each([
    [
      'a workflow without the permission',
      { additions: [{ path: '.github/workflows/a.yml', contents: '' }] },
      'FORBIDDEN',
    ],
    ['a path that leaves the tree', { additions: [{ path: '../a', contents: '' }] }, 'UNPROCESSABLE'],
    ['what is not base64', { additions: [{ path: 'a', contents: 'ä' }] }, 'UNPROCESSABLE'],
    ['the deletion of what is not there', { deletions: [{ path: 'gone' }] }, 'UNPROCESSABLE'],
  ])('refuses %s', async (_, changes, type) => {
    const call = world.bot.graphql(createCommit, input(world.pull.headSha, changes));
    expect((await errorsOf(call)).map((error) => error.type)).toEqual([type]);
  });

  it('needs contents:write', async () => {
    const permissions = { contents: 'read', pull_requests: 'write' } as const;
    const reader = octokitFor(world.github, world.github.createToken({ actor: 'anode[bot]', permissions }));
    expect(await errorsOf(reader.graphql(createCommit, input(world.pull.headSha, {})))).toEqual([
      { type: 'FORBIDDEN', message: 'Resource not accessible by integration' },
    ]);
  });
});

const pullQuery = `query ($owner: String!, $repo: String!) {
  viewer { login }
  repository(owner: $owner, name: $repo) {
    pullRequest(number: 2) {
      id title body headRefOid isDraft state
      author { login }
      comments(first: 10) { nodes { body author { login } isMinimized } }
      reviewThreads(first: 10) {
        nodes { id isResolved isOutdated path line comments(first: 10) { nodes { body } } }
        pageInfo { hasNextPage }
      }
      closingIssuesReferences(first: 10) { nodes { number } }
    }
    issue(number: 1) { title }
  }
}`;

interface PullAnswer {
  repository: { pullRequest: { id: string; reviewThreads: { nodes: { id: string }[] } } };
}

describe('queries and mutations', () => {
  it('read a pull request, resolve a thread, hide a comment and change the draft state', async () => {
    const { bot, repository } = world;
    await repository.review(2, { author: 'ann', comments: [{ path: samplePath, line: 4, body: 'Hm' }] });
    const comment = repository.comment(2, { body: 'Old news', author: 'ann' });
    const first = await bot.graphql<PullAnswer>(pullQuery, shop);
    const { id, reviewThreads } = first.repository.pullRequest;
    await bot.graphql(
      `mutation ($thread: ID!, $comment: ID!, $pull: ID!) {
        resolveReviewThread(input: { threadId: $thread }) { thread { isResolved } }
        minimizeComment(input: { subjectId: $comment, classifier: OUTDATED }) { minimizedComment { isMinimized } }
        convertPullRequestToDraft(input: { pullRequestId: $pull }) { pullRequest { isDraft } }
      }`,
      { thread: reviewThreads.nodes[0]?.id, comment: comment.nodeId, pull: id },
    );
    const threadId = reviewThreads.nodes[0]?.id;
    expect(await bot.graphql(pullQuery, shop)).toEqual({
      viewer: { login: 'anode[bot]' },
      repository: {
        pullRequest: {
          id,
          title: 'Name line four',
          body: 'Closes #1',
          headRefOid: world.pull.headSha,
          isDraft: true,
          state: 'OPEN',
          author: { login: 'ann' },
          comments: { nodes: [{ body: 'Old news', author: { login: 'ann' }, isMinimized: true }] },
          reviewThreads: {
            nodes: [
              {
                id: threadId,
                isResolved: true,
                isOutdated: false,
                path: samplePath,
                line: 4,
                comments: { nodes: [{ body: 'Hm' }] },
              },
            ],
            pageInfo: { hasNextPage: false },
          },
          closingIssuesReferences: { nodes: [{ number: 1 }] },
        },
        issue: { title: 'Lines have numbers' },
      },
    });
    await bot.graphql(
      'mutation ($pull: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $pull }) { clientMutationId } }',
      { pull: id },
    );
    expect(world.github.lastEventPayload('pull_request').action).toBe('ready_for_review');
    expect(world.github.lastEventPayload('pull_request_review_thread').action).toBe('resolved');
  });

  it.each([
    ['a field that GitHub does not have', 'query { viewer { nickname } }', /Cannot query field "nickname"/],
    [
      'a list without a size',
      'query { repository(owner: "acme", name: "shop") { pullRequest(number: 2) { comments { totalCount } } } }',
      /You must provide a `first` or `last`/,
    ],
    [
      'a thread that is not there',
      'query { repository(owner: "acme", name: "shop") { issue(number: 9) { id } } }',
      /Could not resolve to an Issue with the number of 9/,
    ],
    [
      'what the stand-in has not built',
      'query { repository(owner: "acme", name: "shop") { diskUsage } }',
      /has not built Repository.diskUsage/,
    ],
  ])('refuse %s', async (_, document, message) => {
    const errors = await errorsOf(world.bot.graphql(document));
    expect(errors.map((error) => message.test(error.message))).toEqual([true]);
  });
});
