import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSetupStore, type SetupStore } from '../../../src/workspace/setup/setup-store.ts';
import { goDeep } from '../go-deep.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'anode-store-')), 'store');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const keyOf = (letter: string) => letter.repeat(40);

/** Stores a folder under a key, with a claimed size. */
async function keep(
  store: SetupStore,
  letter: string,
  bytes: number,
  options: { trusted?: boolean; age?: number } = {},
) {
  const made = join(await store.workFolder(), 'made');
  mkdirSync(made);
  writeFileSync(join(made, 'file'), letter);
  const folders = [{ mountPath: 'node_modules', folder: made }];
  const kept = await store.store(keyOf(letter), {
    builtAt: '/at',
    folders,
    bytes,
    trusted: options.trusted ?? true,
    repository: 'r',
  });
  const then = new Date(Date.now() - (options.age ?? 0) * 1_000);
  utimesSync(join(folder, keyOf(letter), 'manifest.json'), then, then);
  return kept;
}

/** The stored results by the letter of their key, and all other files by name. */
const content = () =>
  readdirSync(folder)
    .map((name) => (/^(.)\1{39}$/.test(name) ? (name[0] ?? '') : name))
    .sort();

describe('the store of set-ups', () => {
  it('returns a stored result to any process, and no unfinished one', async () => {
    const store = openSetupStore(folder, 100);
    await keep(store, 'a', 10);
    await store.release();
    expect(content()).toEqual(['a']);
    const again = openSetupStore(folder, 100);
    const entry = await again.take(keyOf('a'));
    expect(entry).toEqual({
      builtAt: '/at',
      folders: [{ mountPath: 'node_modules', folder: join(folder, keyOf('a'), 'out/0') }],
    });
    expect(readFileSync(join(entry?.folders[0]?.folder ?? '', 'file'), 'utf8')).toBe('a');
    expect(await again.take(keyOf('b'))).toBeNull();
    await again.release();
  });

  it('removes results that were not used for longest, untrusted ones first, but none in use', async () => {
    const before = openSetupStore(folder, 100);
    await keep(before, 'a', 30, { age: 400 });
    await keep(before, 'b', 30, { age: 300 });
    await keep(before, 'c', 30, { age: 100, trusted: false });
    await before.release();
    const user = openSetupStore(folder, 100);
    await user.take(keyOf('a'));
    const store = openSetupStore(folder, 100);
    await keep(store, 'd', 30);
    expect(content().filter((name) => name.length === 1)).toEqual(['a', 'b', 'd']);
    await keep(store, 'e', 40);
    // The oldest is in use, and so are those that this run has made.
    expect(content().filter((name) => name.length === 1)).toEqual(['a', 'd', 'e']);
    await Promise.all([user.release(), store.release()]);
    expect(content()).toEqual(['a', 'd', 'e']);
  });

  it('has the result of the faster of two runs', async () => {
    const [one, other] = [openSetupStore(folder, 100), openSetupStore(folder, 100)];
    await keep(one, 'a', 10);
    const made = join(await other.workFolder(), 'made');
    mkdirSync(made);
    writeFileSync(join(made, 'file'), 'slower');
    const folders = [{ mountPath: 'node_modules', folder: made }];
    const kept = await other.store(keyOf('a'), {
      builtAt: '/other',
      folders,
      bytes: 10,
      trusted: true,
      repository: 'r',
    });
    expect({
      builtAt: kept.builtAt,
      text: readFileSync(join(kept.folders[0]?.folder ?? '', 'file'), 'utf8'),
    }).toEqual({
      builtAt: '/at',
      text: 'a',
    });
    await Promise.all([one.release(), other.release()]);
    expect(content()).toEqual(['a']);
  });

  it('removes the files of killed processes, including read-only folders', async () => {
    const store = openSetupStore(folder, 100);
    await keep(store, 'a', 10);
    await store.release();
    const gone = 2 ** 22 + 1;
    mkdirSync(join(folder, `work-${gone}-abc/tree`), { recursive: true });
    writeFileSync(join(folder, `work-${gone}-abc/tree/file`), '');
    writeFileSync(join(folder, `use-${keyOf('a')}-${gone}-abc`), '');
    await openSetupStore(folder, 100).workFolder();
    expect(content().filter((name) => !name.startsWith(`work-${process.pid}.`))).toEqual(['a']);
  });

  it('separates an ended process from another with its number, and removes folders of any depth', async () => {
    // As the first process of a container, which has the same number each time.
    const before = `work-${process.pid}.1-abc`;
    mkdirSync(join(folder, before), { recursive: true });
    mkdirSync(join(folder, 'work-1.1-deep'));
    goDeep(join(folder, 'work-1.1-deep'));
    const [mine = ''] = [await openSetupStore(folder, 100).workFolder()].map((path) => basename(path));
    await openSetupStore(folder, 100).workFolder();
    const left = content();
    expect([before, 'work-1.1-deep', mine].map((name) => left.includes(name))).toEqual([false, false, true]);
  });

  it('ignores a result without a readable manifest', async () => {
    mkdirSync(join(folder, keyOf('a')), { recursive: true });
    writeFileSync(join(folder, keyOf('a'), 'manifest.json'), '{"version":2}');
    const store = openSetupStore(folder, 100);
    expect(await store.take(keyOf('a'))).toBeNull();
    await store.release();
    expect(existsSync(join(folder, keyOf('a')))).toBe(true);
  });

  it('ignores a result with an incomplete or invalid manifest, and fails if it is a folder', async () => {
    const store = openSetupStore(folder, 100);
    const whole = { version: 1, builtAt: '/at', places: ['a'], bytes: 1, trusted: true };
    mkdirSync(join(folder, keyOf('a')), { recursive: true });
    const taken = async (text: string) => {
      writeFileSync(join(folder, keyOf('a'), 'manifest.json'), text);
      return (await store.take(keyOf('a')))?.builtAt ?? null;
    };
    const parts = Object.keys(whole);
    const found = [];
    for (const part of parts) found.push(await taken(JSON.stringify({ ...whole, [part]: undefined })));
    expect([await taken(JSON.stringify(whole)), await taken('{'), found]).toEqual([
      '/at',
      null,
      parts.map(() => null),
    ]);
    rmSync(join(folder, keyOf('a'), 'manifest.json'));
    mkdirSync(join(folder, keyOf('a'), 'manifest.json'));
    await expect(store.take(keyOf('a'))).rejects.toMatchObject({ code: 'EISDIR' });
    await store.release();
    expect(content()).toEqual(['a']);
  });

  it('lets other users pass through its folders, and stores exactly up to the limit', async () => {
    const store = openSetupStore(folder, 100);
    await keep(store, 'a', 60, { age: 9 });
    await keep(store, 'b', 40);
    await store.release();
    const modes = ['', keyOf('a'), join(keyOf('a'), 'out')].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    );
    const again = openSetupStore(folder, 100);
    const work = await again.workFolder();
    expect([modes, statSync(work).mode & 0o777, content().slice(0, 2)]).toEqual([
      [0o711, 0o711, 0o711],
      ...[0o711, ['a', 'b']],
    ]);
    await again.take(keyOf('b'));
    await again.clearWork();
    const cleared = content().map((name) => name.slice(0, 4));
    await keep(again, 'c', 41);
    await again.release();
    expect([cleared, content()]).toEqual([
      ['a', 'b', 'use-'],
      ['b', 'c'],
    ]);
  });

  it('removes results without a manifest first, and reports one that cannot be stored', async () => {
    const store = openSetupStore(folder, 100);
    await keep(store, 'a', 90, { trusted: false, age: 1 });
    mkdirSync(join(folder, keyOf('b')));
    await store.release();
    const next = openSetupStore(folder, 100);
    await keep(next, 'c', 10);
    expect(content().filter((name) => name.length === 1)).toEqual(['a', 'b', 'c']);
    await keep(next, 'd', 10);
    expect(content().filter((name) => name.length === 1)).toEqual(['c', 'd']);
    mkdirSync(join(folder, keyOf('e'), 'other'), { recursive: true });
    await expect(keep(next, 'e', 1)).rejects.toThrow(
      new Error(`The result of the set-up was not stored in ${folder}.`),
    );
    await next.release();
  });

  it('removes only files with its own kind of name', async () => {
    const names = [
      'work-1x-a',
      'works-1-a',
      `use-${'a'.repeat(39)}-1-b`,
      'other',
      `x-work-1.1-a`,
      'work-1.1.1-a',
    ];
    for (const name of [...names, 'work-1.23-a', `use-${keyOf('a')}-1.23-b`])
      mkdirSync(join(folder, name), { recursive: true });
    const store = openSetupStore(folder, 100);
    const work = basename(await store.workFolder());
    expect(content().filter((name) => name !== work)).toEqual(names.toSorted());
    await store.release();
  });
});
