import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadApi } from '../protocol/api.ts';
import type { RepositoryHandle } from '../repository-handle.ts';
import { octokitFor, refusalOf, startShop } from '../shop.ts';
import { githubLimits, lowered } from './limits.ts';

let world: Awaited<ReturnType<typeof startShop>>;
let large: RepositoryHandle;
let ann: ReturnType<typeof octokitFor>;
let number: number;

const at = { owner: 'acme', repo: 'large' };
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('');

beforeAll(async () => {
  world = await startShop({
    api: loadApi(),
    limits: {
      ...{ folderEntries: 3, contentBytes: 100, blobBytes: 400, treeEntries: 4, compareFiles: 2 },
      ...{
        compareCommits: 2,
        commitFiles: 3,
        commitFilesPage: 2,
        pullFiles: 3,
        pullCommits: 2,
        diffFiles: 3,
      },
      ...{ diffLines: 40, patchLines: 15, patchesBytes: 200, graphqlNodes: 500 },
    },
  });
  large = await world.github.createRepository('acme/large', {
    files: {
      ...{ 'many/1': '1', 'many/2': '2', 'many/3': '3', 'many/4': '4' },
      ...{ 'small.txt': 'x'.repeat(100), 'medium.txt': 'x'.repeat(101), 'huge.txt': 'x'.repeat(401) },
      'link.txt': { content: 'small.txt', mode: '120000' },
      'dangling.txt': { content: 'nowhere', mode: '120000' },
    },
  });
  large.setPermission('ann', 'write');
  await large.commit('wide', { files: { 'a.txt': lines(3), 'b.txt': lines(20) }, message: 'One' });
  await large.commit('wide', { files: { 'c.txt': lines(5), 'd.txt': lines(5) }, message: 'Two' });
  await large.commit('wide', { files: { 'e.txt': lines(1) }, message: 'Three' });
  ({ number } = await large.openPullRequest({ title: 'Wide', head: 'wide', author: 'ann' }));
  ann = octokitFor(world.github, world.github.createToken({ actor: 'ann' }));
});
afterAll(async () => {
  const problems = world.github.problems();
  await world.github.close();
  expect(problems).toEqual([]);
});

describe('GitHub Docs, "REST API endpoints for repository contents"', () => {
  const read = async (path: string, accept = 'application/json') => {
    const { data } = await ann.repos.getContent({ ...at, path, headers: { accept } });
    return data;
  };
  const tooLarge = {
    status: 403,
    errors: [{ resource: 'Blob', field: 'data', code: 'too_large' }],
  };

  it('a folder lists its first 1,000 entries', async () => {
    expect(await read('many')).toMatchObject([{ name: '1' }, { name: '2' }, { name: '3' }]);
  });

  it('a file of up to 1 MB comes as base64, a larger one without its content', async () => {
    expect([await read('small.txt'), await read('medium.txt')]).toMatchObject([
      { encoding: 'base64', size: 100 },
      { encoding: 'none', size: 101, content: '' },
    ]);
  });

  it('a file of up to 100 MB comes raw', async () => {
    expect(await read('medium.txt', 'application/vnd.github.raw+json')).toBe('x'.repeat(101));
  });

  it('a file of more than 100 MB is refused, raw and as a blob', async () => {
    const { data } = await ann.git.getTree({ ...at, tree_sha: 'main' });
    const file_sha = data.tree.find(({ path }) => path === 'huge.txt')?.sha ?? '';
    expect([
      await refusalOf(read('huge.txt')),
      await refusalOf(ann.git.getBlob({ ...at, file_sha })),
    ]).toMatchObject([tooLarge, tooLarge]);
  });

  it('a link is answered with its target file, and as a link without a target', async () => {
    expect([await read('link.txt'), await read('dangling.txt')]).toMatchObject([
      { type: 'file', path: 'link.txt', size: 100 },
      { type: 'symlink', target: 'nowhere' },
    ]);
  });
});

it('a recursive tree is cut with a notice (GitHub Docs, "REST API endpoints for Git trees")', async () => {
  const tree = async (recursive: { recursive?: string }) => {
    const { data } = await ann.git.getTree({ ...at, tree_sha: 'main', ...recursive });
    return [data.tree.length, data.truncated];
  };
  expect([await tree({ recursive: '1' }), await tree({})]).toEqual([
    [4, true],
    [6, false],
  ]);
});

describe('GitHub Docs, "REST API endpoints for commits"', () => {
  it('a comparison has its first files on the first page, and 250 commits a page', async () => {
    const compare = async (page: { page?: number; per_page?: number }) => {
      const { data } = await ann.repos.compareCommitsWithBasehead({
        ...at,
        basehead: 'main...wide',
        ...page,
      });
      return [data.total_commits, data.commits.length, data.files?.map(({ filename }) => filename)];
    };
    expect([await compare({}), await compare({ page: 2, per_page: 2 })]).toEqual([
      [3, 2, ['a.txt', 'b.txt']],
      [3, 1, []],
    ]);
  });

  it('a commit has its files page by page, at most 3,000', async () => {
    await large.commit('bulk', {
      files: { '1': '1', '2': '2', '3': '3', '4': '4' },
      message: 'Bulk',
    });
    const files = async (page: number) => {
      const { data } = await ann.repos.getCommit({ ...at, ref: 'bulk', page });
      return data.files?.map(({ filename }) => filename);
    };
    expect([await files(1), await files(2), await files(3)]).toEqual([['1', '2'], ['3'], []]);
  });
});

describe('GitHub Docs, "REST API endpoints for pull requests"', () => {
  it('a pull request lists its first 3,000 files and its first 250 commits', async () => {
    const files = await ann.pulls.listFiles({ ...at, pull_number: number });
    const commits = await ann.pulls.listCommits({ ...at, pull_number: number });
    expect([
      files.data.map(({ filename }) => filename),
      commits.data.map(({ commit }) => commit.message),
    ]).toEqual([
      ['a.txt', 'b.txt', 'c.txt'],
      ['One', 'Two'],
    ]);
  });
});

describe('GitHub Docs, "Repository limits", diff limits', () => {
  it('a file with a too large patch comes without it and accepts no comments on its lines', async () => {
    const { data } = await ann.pulls.listFiles({ ...at, pull_number: number });
    const comment = ann.pulls.createReviewComment({
      ...{ ...at, pull_number: number, commit_id: (await large.head('wide')) ?? '', body: 'Here' },
      ...{ path: 'b.txt', line: 3 },
    });
    expect([
      data.map(({ filename, patch, additions }) => [filename, patch !== undefined, additions]),
      await refusalOf(comment),
    ]).toEqual([
      [
        ['a.txt', true, 3],
        ['b.txt', false, 20],
        ['c.txt', true, 5],
      ],
      { status: 422, message: 'Unprocessable Entity', errors: ['Line could not be resolved'] },
    ]);
  });

  it('a diff of too many files or lines is not available as text', async () => {
    const diff = (basehead: string) =>
      refusalOf(
        ann.repos.compareCommitsWithBasehead({
          ...at,
          basehead,
          headers: { accept: 'application/vnd.github.diff' },
        }),
      );
    await large.commit('long', { files: { 'long.txt': lines(40) }, message: 'Long' });
    const errors = [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }];
    const ofPull = refusalOf(ann.pulls.get({ ...at, pull_number: number, mediaType: { format: 'diff' } }));
    const tooManyLines = await diff('main...long');
    expect([await ofPull, await diff('main...wide'), tooManyLines]).toEqual([
      {
        status: 406,
        message:
          "Sorry, the diff exceeded the maximum number of files (3). Consider using 'List pull requests files' API or locally cloning the repository instead.",
        errors,
      },
      {
        status: 406,
        message:
          "Sorry, the diff exceeded the maximum number of files (3). Consider using 'List pull requests files' API or locally cloning the repository instead.",
        errors,
      },
      { status: 406, message: 'Sorry, the diff exceeded the maximum number of lines (40)', errors },
    ]);
  });
});

describe('GitHub Docs, "Rate limits and query limits for the GraphQL API"', () => {
  const ask = (first: number, inner: number) =>
    ann.graphql(
      `query ($first: Int!) { repository(owner: "acme", name: "large") { pullRequests(first: $first) { nodes { ...on PullRequest { ...more } } } } }
       fragment more on PullRequest { comments(last: ${inner}) { nodes { id } } }`,
      { first },
    );

  it('a query that could return too many nodes is refused, and one with one node fewer is not', async () => {
    await ask(20, 24);
    await expect(ask(20, 25)).rejects.toThrow(
      'This query requests up to 520 possible nodes which exceeds the maximum limit of 500.',
    );
  });

  it('a connection must request 1 to 100 nodes', async () => {
    const ends = await Promise.all(
      [0, 101, 1].map((first) =>
        ask(first, 1).then(
          () => 'answered',
          (error: { errors?: { type: string }[] }) => error.errors?.[0]?.type,
        ),
      ),
    );
    expect(ends).toEqual(['EXCESSIVE_PAGINATION', 'EXCESSIVE_PAGINATION', 'answered']);
  });

  it('a number over 32 bits is returned in `fullDatabaseId` only', async () => {
    const pull = (field: string) =>
      ann.graphql<{ repository: { pullRequest: Record<string, unknown> } }>(
        `{ repository(owner: "acme", name: "large") { pullRequest(number: ${number}) { ${field} } } }`,
      );
    const { data } = await ann.pulls.get({ ...at, pull_number: number });
    expect((await pull('fullDatabaseId')).repository.pullRequest).toEqual({
      fullDatabaseId: String(data.id),
    });
    await expect(pull('databaseId')).rejects.toThrow('Int cannot represent non 32-bit signed integer value');
  });
});

it('a limit can be lowered but not raised', () => {
  expect(() => lowered({ folderEntries: githubLimits.folderEntries + 1 })).toThrow('never laxer than GitHub');
});
