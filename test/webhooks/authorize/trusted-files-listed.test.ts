import { expect, test } from 'vitest';
import { trustedFilesOnGitHub } from '../../../src/webhooks/authorize/trusted-files-on-github.ts';
import { apiError } from '../event-request.ts';

const file = (text: string) => ({
  ...{ type: 'file', encoding: 'base64', content: Buffer.from(text).toString('base64') },
});

type Tree = readonly {
  readonly path?: string;
  readonly mode?: string;
  readonly size?: number;
  type?: string;
  sha?: string;
}[];
/** Opens what steers a run on a branch with these trees, by their ids. */
function steering(trees: Readonly<Record<string, Tree | Error>>, truncated = false) {
  const asked: unknown[] = [];
  const getTree = async (query: { tree_sha: string }) => {
    asked.push(query);
    const tree = trees[query.tree_sha] ?? apiError(404);
    if (tree instanceof Error) throw tree;
    return { data: { tree, truncated: truncated && 'recursive' in query } };
  };
  const getContent = async ({ path }: { path: string }) => ({ data: file(`${path}!`) });
  const octokit = { rest: { git: { getTree }, repos: { getContent } } } as never;
  return { asked, tree: trustedFilesOnGitHub(octokit, { owner: 'acme', name: 'shop', branch: 'main' }) };
}
const blob = (path: string, size?: number, mode = '100644') => ({
  ...{ path, mode, type: 'blob', sha: 's' },
  ...(size === undefined ? {} : { size }),
});

test('lists regular files by path, with size and executable flag', async () => {
  const { tree, asked } = steering({
    main: [
      blob('b.md', 3),
      blob('a/x.sh', 5, '100755'),
      blob('a/b/y.md'),
      blob('link', 1, '120000'),
      { path: 'a', mode: '040000', type: 'tree', sha: 't' },
      { mode: '100644' },
      { path: 'odd' },
    ],
  });
  const [script, deep, top] = [
    { path: 'a/x.sh', size: 5, executable: true },
    { path: 'a/b/y.md', size: 0, executable: false },
    { path: 'b.md', size: 3, executable: false },
  ];
  expect([
    await tree.below('', 1, 9),
    await tree.below('', 3, 9),
    await tree.below('a', 1, 9),
    await tree.below('a', 2, 9),
    await tree.below('', 3, 2),
  ]).toEqual([[top], [deep, script, top], [script], [deep, script], [deep, script]]);
  expect(asked).toEqual([{ owner: 'acme', repo: 'shop', tree_sha: 'main', recursive: 'true' }]);
});

test('reads files of up to 256 KiB', async () => {
  const { tree } = steering({ main: [blob('a', 262_144), blob('b', 262_145), blob('c', 1)] });
  expect([...(await tree.read(['a', 'b', 'd']))].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ['a', 'a!'],
  ]);
});

test('an empty repository gives no files, and a failure is thrown', async () => {
  const listed = async (status: number) => steering({ main: apiError(status) }).tree.below('', 9, 9);
  expect([await listed(404), await listed(409)]).toEqual([[], []]);
  await expect(listed(500)).rejects.toThrow('HTTP 500');
});

test('a truncated list is completed folder by folder', async () => {
  const folder = (path: string, sha?: string) => ({
    ...{ path, mode: '040000', type: 'tree' },
    ...(sha === undefined ? {} : { sha }),
  });
  const { tree, asked } = steering(
    {
      main: [blob('z.md', 1), folder('a', 'ta'), folder('gone'), { type: 'tree', sha: 'x' }],
      ta: [blob('y.md', 1), folder('b', 'tb'), { ...blob('m', 1), mode: '160000', type: 'commit' }],
      tb: [blob('x.md', 1)],
    },
    true,
  );
  const below = async (...[path, depth]: [string, number]) =>
    (await tree.below(path, depth, 9)).map((one) => one.path);
  expect([
    await below('', 1),
    await below('', 2),
    await below('', 3),
    await below('a', 1),
    await below('gone', 1),
  ]).toEqual([['z.md'], ['a/y.md', 'z.md'], ['a/b/x.md', 'a/y.md', 'z.md'], ['a/y.md'], []]);
  expect([...(await tree.read(['a/b/x.md', 'z.md', 'q.md'])).keys()]).toEqual(['a/b/x.md', 'z.md']);
  expect(asked).toEqual([
    { owner: 'acme', repo: 'shop', tree_sha: 'main', recursive: 'true' },
    ...['main', 'ta', 'tb'].map((tree_sha) => ({ owner: 'acme', repo: 'shop', tree_sha })),
  ]);
});
