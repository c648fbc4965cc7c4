import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import {
  prefixOf,
  rootOf,
  rootsForGlob,
  type SearchPlaces,
  topOf,
} from '../../../src/tools/search/search-root.ts';

const [lib, other] = [
  { name: 'lib', displayPath: '../lib', root: '/lib' },
  { name: 'other', displayPath: '../other', root: '/other' },
] as unknown as SearchPlaces['repositories'] as readonly [
  SearchPlaces['repositories'][number],
  SearchPlaces['repositories'][number],
];
const kinds: Readonly<Record<string, string>> = {
  src: 'directory',
  'src/a.ts': 'file',
  link: 'symlink',
  pipe: 'other',
  '../lib': 'directory',
  '../lib/src': 'directory',
  '../library': 'directory',
};
const places: SearchPlaces = {
  workspace: {
    files: {
      relative: (path: string) => (path === '.' || path === './' ? '' : path),
      stat: async (path: string) =>
        kinds[path] === undefined ? null : { kind: kinds[path], size: 1, mode: 0 },
      missing: (path: string) => new ToolError('not_found', `${path} does not exist.`),
    },
  } as unknown as SearchPlaces['workspace'],
  repositories: [lib, other],
};
const workspace = { path: '.', kind: 'directory' };
const all = [workspace, rootOf(lib), rootOf(other)];

describe('the roots of a search', () => {
  test.each([
    ['.', undefined, { roots: all, glob: undefined }],
    ['', undefined, { roots: all, glob: undefined }],
    ['.', '*.ts', { roots: all, glob: '*.ts' }],
    ['src', '*.ts', { roots: [{ path: 'src', kind: 'directory' }], glob: '*.ts' }],
    ['src/a.ts', undefined, { roots: [{ path: 'src/a.ts', kind: 'file' }], glob: undefined }],
    ['../lib', undefined, { roots: [rootOf(lib)], glob: undefined }],
    ['../lib/src', undefined, { roots: [{ ...rootOf(lib), path: '../lib/src' }], glob: undefined }],
    ['../library', undefined, { roots: [{ path: '../library', kind: 'directory' }], glob: undefined }],
    // A glob that names a repository is one of that repository.
    ['.', '../lib/src/*.ts', { roots: [rootOf(lib)], glob: 'src/*.ts' }],
    ['', '../other/*.ts', { roots: [rootOf(other)], glob: '*.ts' }],
    ['./', '../lib/*.ts', { roots: [rootOf(lib)], glob: '*.ts' }],
    ['src', '../lib/*.ts', { roots: [{ path: 'src', kind: 'directory' }], glob: '../lib/*.ts' }],
    ['.', '../library/*.ts', { roots: all, glob: '../library/*.ts' }],
  ])('of %j with %j', async (path, glob, expected) => {
    expect(await rootsForGlob(places, path, glob)).toEqual(expected);
  });

  test.each([
    ['gone', 'not_found: gone does not exist. Leave path out to search the whole workspace.'],
    ['link', 'invalid_input: link is a symlink; searches start at a directory or file.'],
    ['pipe', 'invalid_input: pipe is a other; searches start at a directory or file.'],
  ])('refuse %s', async (path, words) => {
    const reply = await rootsForGlob(places, path, undefined).catch(
      (error: ToolError) => `${error.kind}: ${error.message}`,
    );
    expect(reply).toBe(words);
  });
});

test('paths below a root start with its path and that of its repository', () => {
  expect(rootOf(lib)).toEqual({ path: '../lib', kind: 'directory', repository: lib });
  expect([topOf(rootOf(lib)), topOf({ path: 'src', kind: 'directory' })]).toEqual(['../lib/', '']);
  expect([prefixOf({ path: '.', kind: 'directory' }), prefixOf({ path: 'src', kind: 'directory' })]).toEqual([
    '',
    'src/',
  ]);
});
