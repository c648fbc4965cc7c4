import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import {
  findServer,
  findServerFor,
  rootFor,
  type ServerLocations,
  statOnce,
} from '../../../src/extensions/language/find-servers.ts';
import type { LanguageServerEntry } from '../../../src/extensions/language/server-entry.ts';

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'find-servers-')));
});
afterAll(() => rmSync(base, { recursive: true }));

/** A file below the folder of this test, that may be executed or not; its path. */
function put(name: string, { text = '', mode = 0o755 } = {}): string {
  const file = path.join(base, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
  return file;
}

/** A checkout with these files, in which `kept` says what was looked at and read, and how much of it. */
function locations(
  files: Readonly<Record<string, string>>,
  { checkout = true, programFolders = [] as string[] } = {},
): ServerLocations & { readonly kept: string[] } {
  const kept: string[] = [];
  const held = (name: string): string => {
    const text = files[name];
    if (text === undefined) throw new ToolError('not_found', 'gone');
    return text;
  };
  return {
    ...{ root: path.join(base, 'tree'), checkout, programFolders, kept },
    files: {
      async stat(name: string) {
        kept.push(name);
        return { kind: 'file', size: held(name).length };
      },
      async read(name: string, most: number) {
        kept.push(`${name} ${most}`);
        return { bytes: Buffer.from(held(name)) };
      },
    } as never,
  };
}

const entry = (change: Partial<LanguageServerEntry> = {}): LanguageServerEntry => ({
  ...{ name: 'toy', command: ['toy-server', '--stdio'], languages: { '.toy': 'toy' }, markers: [] },
  ...{ runsCheckout: false, ...change },
});
const own = entry({ inCheckout: 'node_modules/.bin/toy-server' });
const program = async (...given: Parameters<typeof findServer>) => (await findServer(...given))?.argv ?? null;

describe('in a checkout', () => {
  const bin = 'node_modules/.bin/toy-server';

  test('the server of the nearest parent folder is used, with its arguments', async () => {
    const two = locations({ [bin]: '', [`a/b/${bin}`]: '' });
    const at = (file: string) => path.join(base, 'tree', file);
    expect([
      await findServer(own, 'a/b/c', two),
      await program(own, 'a/x', two),
      await program(own, '', two),
      two.kept,
    ]).toEqual([
      { entry: own, argv: [at(`a/b/${bin}`), '--stdio'] },
      [at(bin), '--stdio'],
      [at(bin), '--stdio'],
      [`a/b/c/${bin}`, `a/b/${bin}`, `a/x/${bin}`, `a/${bin}`, bin, bin],
    ]);
  });

  test("a program with a path relative to the project's folder is used unchanged", async () => {
    const relative = entry({ command: ['bin/toy'], inCheckout: bin });
    expect([
      await program(relative, 'a', locations({ 'a/bin/toy': '', [bin]: '' })),
      await program(relative, 'a', locations({ [bin]: '' })),
      await program(relative, '', locations({ 'bin/toy': '' }, { checkout: false })),
    ]).toEqual([[path.join(base, 'tree/a/bin/toy')], null, null]);
  });

  test('no server is used if code of the checkout may not run, nor one that runs such code', async () => {
    const closed = locations({ [bin]: '' }, { checkout: false });
    const open = locations({ [bin]: '' });
    const unsafe = { ...own, runsCheckout: true };
    expect([
      await program(own, '', closed),
      await program(unsafe, '', closed),
      (await program(unsafe, '', open)) === null,
      closed.kept,
    ]).toEqual([null, null, false, []]);
  });

  test('an older package, which is no server, is skipped for one of a parent folder', async () => {
    const since = { ...own, npm: 'toy', since: 7 };
    const manifest = (version: unknown) => JSON.stringify({ version });
    const found = async (inner: string | undefined, outer = manifest('7.0.0')) =>
      program(
        since,
        'a',
        locations({
          ...{ [bin]: '', [`a/${bin}`]: '', 'node_modules/toy/package.json': outer },
          ...(inner === undefined ? {} : { 'a/node_modules/toy/package.json': inner }),
        }),
      ).then((words) => words?.[0].slice(base.length) ?? null);
    const [near, above] = [`/tree/a/${bin}`, `/tree/${bin}`];
    expect([
      await found(manifest('7.0.0')),
      await found(manifest('10.2')),
      await found(manifest('6.9.9')),
      await found(manifest(7)),
      await found('[]'),
      await found('no JSON'),
      await found(undefined),
      await found(undefined, manifest('6')),
      await found(manifest('v7')),
    ]).toEqual([near, near, above, above, above, above, above, null, above]);
    const read = locations({ [bin]: '', 'node_modules/toy/package.json': manifest('7') });
    await program(since, '', read);
    expect(read.kept).toEqual([bin, `node_modules/toy/package.json ${256 * 1024}`]);
  });
});

describe('on PATH', () => {
  const folders = (...names: string[]) => ({ programFolders: names.map((name) => path.join(base, name)) });

  test('the first executable file is the server', async () => {
    put('plain/toy-server', { mode: 0o644 });
    mkdirSync(path.join(base, 'folder/toy-server'), { recursive: true });
    const first = put('first/toy-server');
    put('second/toy-server');
    const all = locations({}, folders('none', 'plain', 'folder', 'first', 'second'));
    expect([
      await program(own, '', all),
      await program(own, '', { ...all, checkout: false }),
      await program(own, '', locations({}, folders('none'))),
      await program(entry({ command: [first] }), '', locations({})),
      await program(entry({ command: ['first/toy-server'] }), '', locations({}, { programFolders: [base] })),
    ]).toEqual([[first, '--stdio'], [first, '--stdio'], null, [first], null]);
  });

  test('files in the checkout, or links into it, are not used', async () => {
    const inside = put('tree/bin/toy-server');
    mkdirSync(path.join(base, 'links'));
    symlinkSync(inside, path.join(base, 'links/toy-server'));
    symlinkSync(put('outside/toy-server'), path.join(base, 'tree/bin/linked'));
    const last = put('last/toy-server');
    put('last/linked');
    expect([
      await program(own, '', locations({}, folders('tree/bin', 'links', 'last'))),
      await program(entry({ command: ['linked'] }), '', locations({}, folders('tree/bin', 'last'))),
      await program(entry({ command: [inside] }), '', locations({})),
    ]).toEqual([[last, '--stdio'], [path.join(base, 'last/linked')], null]);
  });

  test("a packaged program must have a version that is a server, by its package's manifest", async () => {
    const manifest = (name: string, version: string) => ({ text: JSON.stringify({ name, version }) });
    put('npm6/package.json', manifest('toy', '6.1.0'));
    put('npm6/bin/toy-server');
    put('npm7/package.json', manifest('toy', '7.0.0'));
    const seven = put('npm7/a/b/c/toy-server');
    put('npm7/a/b/c/d/toy-server');
    put('other/package.json', manifest('toys', '7.0.0'));
    put('other/bin/toy-server');
    put('above/package.json', manifest('toy', '7.0.0'));
    put('above/inner/package.json', { text: '[]' });
    put('above/inner/bin/toy-server');
    const since = entry({ npm: 'toy', since: 7 });
    const [six, deep, another, hidden] = ['npm6/bin', 'npm7/a/b/c/d', 'other/bin', 'above/inner/bin'];
    expect([
      await program(since, '', locations({}, folders(six, deep, another, hidden, 'npm7/a/b/c'))),
      await program(since, '', locations({}, folders(six, deep, another, hidden))),
      await program({ ...since, since: 6 }, '', locations({}, folders(six))),
      await program(entry({ npm: 'toy' }), '', locations({}, folders(another))),
      await program(entry({ since: 7 }), '', locations({}, folders(another))),
    ]).toEqual([
      [seven, '--stdio'],
      null,
      [path.join(base, six, 'toy-server'), '--stdio'],
      [path.join(base, another, 'toy-server'), '--stdio'],
      [path.join(base, another, 'toy-server'), '--stdio'],
    ]);
  });
});

test('the first available one of several servers that reads the file is used', async () => {
  const here = path.join(base, 'first');
  put('first/toy-server');
  const [other, absent, there] = [
    entry({ name: 'other', languages: { '.txt': 'text' } }),
    entry({ name: 'absent', command: ['no-such-server'] }),
    entry({ name: 'there', inCheckout: 'bin/there' }),
  ];
  const at = { programFolders: [here] };
  const found = async (file: string, entries: LanguageServerEntry[], files = {}) =>
    (await findServerFor(file, entries, locations(files, at)))?.argv[0] ?? null;
  expect([
    await found('a/x.toy', [other, absent, there, entry()]),
    await found('a/x.toy', [there], { 'a/bin/there': '' }),
    await found('x.toy', [there], { 'bin/there': '' }),
    await found('x.toy', [other, absent]),
    await found('x.md', [other, there]),
  ]).toEqual([
    path.join(here, 'toy-server'),
    path.join(base, 'tree/a/bin/there'),
    path.join(base, 'tree/bin/there'),
    null,
    null,
  ]);
});

test('a server works on the topmost folder above a file that has one of its markers', async () => {
  const root = (file: string, markers: string[], ...marked: string[]) =>
    rootFor(file, entry({ markers }), locations(Object.fromEntries(marked.map((name) => [name, '']))));
  expect([
    await root('a/b/x.toy', ['toy.json', 'toy.lock'], 'a/toy.lock', 'a/b/toy.json'),
    await root('a/b/x.toy', ['toy.json', 'toy.lock'], 'a/b/toy.json'),
    await root('a/b/x.toy', ['toy.json'], 'toy.json', 'a/toy.json'),
    await root('a/b/x.toy', ['toy.json'], 'c/toy.json'),
    await root('a/b/x.toy', [], 'a/toy.json'),
    await root('x.toy', ['toy.json'], 'a/toy.json'),
  ]).toEqual(['a', 'a/b', '', '', '', '']);
});

test('a file is looked up once, and read at each request', async () => {
  const { files, kept } = locations({ a: 'x', b: '' });
  const once = statOnce(files);
  const [first, second] = [once.stat('a'), once.stat('a')];
  await once.stat('b');
  await once.read('a', 5);
  await once.read('a', 6);
  await expect(once.stat('c')).rejects.toThrow('gone');
  await expect(once.stat('c')).rejects.toThrow('gone');
  expect([await first, first === second, kept]).toEqual([
    { kind: 'file', size: 1 },
    true,
    ['a', 'b', 'a 5', 'a 6', 'c'],
  ]);
});
