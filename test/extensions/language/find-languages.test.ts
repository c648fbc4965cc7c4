import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { findLanguages } from '../../../src/extensions/language/find-languages.ts';
import type { LanguageServerEntry } from '../../../src/extensions/language/server-entry.ts';

let base: string;
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'languages-'));
  mkdirSync(path.join(base, 'bin'));
  for (const name of ['go-server', 'py-server']) {
    writeFileSync(path.join(base, 'bin', name), '');
    chmodSync(path.join(base, 'bin', name), 0o755);
  }
});
afterAll(() => rmSync(base, { recursive: true }));

const entry = (
  name: string,
  ending: string,
  change: Partial<LanguageServerEntry> = {},
): LanguageServerEntry => ({
  ...{ name, command: [`${name}-server`], languages: { [ending]: name }, markers: [], runsCheckout: false },
  ...change,
});
const go = entry('go', '.go');
const python = entry('py', '.py');
const npm = entry('npm', '.ts', { npm: 'npm-server' });

/** Gives what is found in a checkout with these files, and the folders that were read. */
async function look(
  entries: readonly LanguageServerEntry[],
  files: readonly string[],
  change: { setUp?: boolean; checkout?: boolean; manifest?: string; signal?: AbortSignal } = {},
) {
  const looked: string[] = [];
  const missing = new ToolError('not_found', 'gone');
  const list = async (folder: string) => {
    looked.push(folder);
    if (folder.endsWith('closed')) throw missing;
    const below = files
      .map((file) =>
        folder === '.' ? file : file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : '',
      )
      .filter((file) => file !== '');
    const names = new Map(below.map((file) => [file.split('/')[0] ?? '', file.includes('/')]));
    return [...names].map(([name, isFolder]) => ({
      name,
      kind: name === 'pipe.go' ? ('other' as const) : isFolder ? ('directory' as const) : ('file' as const),
    }));
  };
  const read = async () => {
    if (change.manifest === undefined) throw missing;
    return { bytes: Buffer.from(change.manifest) };
  };
  const found = await findLanguages(entries, {
    ...{ root: path.join(base, 'tree'), programFolders: [path.join(base, 'bin')] },
    ...{ checkout: change.checkout ?? false, setUp: change.setUp ?? false },
    signal: change.signal ?? new AbortController().signal,
    files: { list, read, stat: async () => Promise.reject(missing) } as never,
  });
  return { ...found, looked };
}

test('a file of each language is searched for, upper folders first, until all are found', async () => {
  expect(await look([go, python, npm], ['a/b/deep.py', 'a/x.go', 'c/y.go', 'a/z.ts', 'c/d/e/f.txt'])).toEqual(
    {
      ...{ samples: ['a/x.go', 'a/b/deep.py'], names: ['go', 'py'], looked: ['.', 'a', 'c', 'a/b'] },
    },
  );
  expect(await look([go, { ...go, name: 'go2' }], ['x.go', 'y.go', 'a/z.go'])).toEqual({
    ...{ samples: ['x.go'], names: ['go', 'go2'], looked: ['.'] },
  });
});

test('folders of packages, hidden and unreadable folders are not searched', async () => {
  const skipped = [
    'node_modules',
    'vendor',
    'target',
    'dist',
    'build',
    'out',
    '__pycache__',
    'venv',
    '.hidden',
  ];
  const files = [...skipped, 'closed', 'outer'].map((folder) => `${folder}/x.go`);
  expect(await look([go], ['pipe.go', ...files])).toEqual({
    ...{ samples: ['outer/x.go'], names: ['go'], looked: ['.', 'closed', 'outer'] },
  });
});

test('at most 400 folders are searched, and none without a server', async () => {
  const folders = (count: number) => Array.from({ length: count }, (_, index) => `d${index}/a.txt`);
  expect([
    (await look([go], [...folders(398), 'last/x.go'])).samples,
    (await look([go], [...folders(399), 'last/x.go'])).samples,
    (await look([npm], ['x.ts'])).looked,
  ]).toEqual([['last/x.go'], [], []]);
});

test('packages in package.json count as present if a set-up will install them', async () => {
  const manifest = '{"devDependencies":{"npm-server":"1"}}';
  const names = async (change: Parameters<typeof look>[2]) => (await look([npm], ['x.ts'], change)).names;
  expect([
    await names({ setUp: true, checkout: true, manifest }),
    await names({ setUp: true, checkout: false, manifest }),
    await names({ setUp: false, checkout: true, manifest }),
    await names({ setUp: true, checkout: true }),
  ]).toEqual([['npm'], [], [], []]);
});

test('an abort ends the search', async () => {
  const stop = new AbortController();
  stop.abort(new Error('over'));
  await expect(look([go], ['x.go'], { signal: stop.signal })).rejects.toThrow('over');
});
