import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StateStore } from '../../../src/contract/state-store.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { contentHash } from '../../../src/workspace/changes/before-images.ts';
import { createRunStorage, type RunStorage } from '../../../src/workspace/storage/run-storage.ts';

let base: string;
let store: StateStore;
let runs: number;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'storage-'));
  store = createMemoryStateStore();
  runs = 0;
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** The storage of a new run. Each run starts a second after the previous one. */
function begin(options: { trusted?: boolean; restored?: Record<string, string> } = {}): RunStorage {
  runs += 1;
  const number = runs;
  return createRunStorage({
    folder: path.join(base, `run-${number}`),
    runId: `run_${number}`,
    sharedStore: options.trusted === false ? null : store,
    restored: options.restored ?? {},
    redact: (text) => text.replaceAll('hunter22', '[redacted]'),
    now: () => new Date(number * 1000),
  });
}

const by = { tool: 'workspace.write_file', callId: 'call_1' };

async function put(storage: RunStorage, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await storage.change(name, by, () => text);
}

/** The files that a run can read in persist/, by path. */
async function kept(storage: RunStorage): Promise<Record<string, string>> {
  const { files } = await storage.open();
  const seen: Record<string, string> = {};
  for (const { name } of await files.list('persist'))
    seen[name] = (await files.read(`persist/${name}`)).bytes.toString('utf8');
  return seen;
}

test('files in persist are available to later runs only after they are promoted', async () => {
  const first = begin();
  await put(first, { 'persist/a.md': 'one', 'persist/b.md': 'the key is hunter22', 'output/c.md': 'mine' });
  expect(await kept(begin())).toEqual({});
  await first.promote();
  const second = begin();
  expect(await kept(second)).toEqual({ 'a.md': 'one', 'b.md': 'the key is [redacted]' });
  await put(second, { 'persist/a.md': '' });
  await second.promote();
  expect(await kept(begin())).toEqual({ 'b.md': 'the key is [redacted]' });
});

test('a file can have any name', async () => {
  const first = begin();
  const files = { 'persist/__proto__': 'one', 'persist/constructor': 'two', 'persist/7': 'three' };
  await put(first, files);
  await first.promote();
  const { files: seen } = await begin().open();
  const read = async (name: string) => (await seen.read(name)).bytes.toString('utf8');
  expect(await Promise.all(Object.keys(files).map(read))).toEqual(Object.values(files));
});

test('if two runs write a file and a folder with the same name, the later one stays', async () => {
  const [first, second] = [begin(), begin()];
  await put(first, { 'persist/notes': 'a file', 'persist/a.md': 'one' });
  await put(second, { 'persist/notes/b.md': 'in a folder' });
  await first.promote();
  await second.promote();
  const third = begin();
  const { files } = await third.open();
  expect(await files.list('persist')).toEqual([
    { name: 'a.md', kind: 'file' },
    { name: 'notes', kind: 'directory' },
  ]);
  await put(third, { 'persist/notes/b.md': '' });
  await third.promote();
  expect(await kept(begin())).toEqual({ 'a.md': 'one' });
});

test('a run without stored files uses neither the disk nor the store', async () => {
  const storage = begin();
  store.list = () => Promise.reject(new Error('the store was asked'));
  await storage.promote();
  expect([await storage.snapshot(), existsSync(path.join(base, 'run-1'))]).toEqual([null, false]);
});

test('a run that only reads promotes nothing', async () => {
  await kept(begin());
  const looking = begin();
  await kept(looking);
  await looking.promote();
  expect(await store.list('persist/')).toEqual([]);
});

test('an untrusted run can neither read nor write persist', async () => {
  const trusted = begin();
  await put(trusted, { 'persist/a.md': 'one' });
  await trusted.promote();
  const before = await store.list('');
  const other = begin({ trusted: false, restored: { 'persist/a.md': 'poison', 'scratch/x': 'own' } });
  const { files } = await other.open();
  expect((await files.list('')).map(({ name }) => name)).toEqual(['output', 'plan', 'scratch', 'summaries']);
  await expect(put(other, { 'persist/a.md': 'poison' })).rejects.toMatchObject({
    kind: 'outside_workspace',
    message:
      'persist/a.md: this run has no persist/, since nothing is stored for later runs. Use output/, scratch/, plan/, summaries/.',
  });
  await other.promote();
  expect([await other.snapshot(), await store.list('')]).toEqual([{ 'scratch/x': 'own' }, before]);
});

test('of concurrent runs, each stores its files, and the later text of one file stays', async () => {
  const [one, two] = [begin(), begin()];
  await put(one, { 'persist/both.md': 'from one', 'persist/one.md': '1' });
  await put(two, { 'persist/both.md': 'from two', 'persist/two.md': '2' });
  await Promise.all([two.promote(), one.promote()]);
  expect(await kept(begin())).toEqual({ 'both.md': 'from two', 'one.md': '1', 'two.md': '2' });
});

test('many concurrent runs are merged without losing or restoring files', async () => {
  for (let round = 0; round < 5; round += 1) {
    const some = Array.from({ length: 5 }, () => begin());
    await Promise.all(
      some.map(async (storage, index) => {
        await put(storage, {
          [`persist/f${index}.md`]: `round ${round}`,
          'persist/gone.md': round === 4 ? '' : 'x',
        });
        await storage.promote();
      }),
    );
  }
  const all = Array.from({ length: 5 }, (_, index) => [`f${index}.md`, 'round 4']);
  expect(await kept(begin())).toEqual(Object.fromEntries(all));
  expect((await store.list('persist/')).length).toBeLessThan(25);
});

test('invalid entries of the store are ignored', async () => {
  await store.set('persist/000000000000001-x', 'no JSON');
  await store.set(
    'persist/000000000000002-x',
    '{"v":1,"files":{"../output/x":"a","a/../b":"b","ok.md":"c"}}',
  );
  expect(await kept(begin())).toEqual({ 'ok.md': 'c' });
});

test('one file, persist and the other folders each have a limit, and the error explains it', async () => {
  const storage = begin();
  const kilobytes = (count: number) => 'x'.repeat(count * 1024);
  const refusal = (files: Record<string, string>) =>
    put(storage, files).then(
      () => 'written',
      (error: { kind: string; message: string }) => `${error.kind}: ${error.message}`,
    );
  expect(await refusal({ 'output/big': `${kilobytes(1024)}x` })).toBe(
    'quota: output/big would have 1048577 bytes; one file may have 1048576. Split it.',
  );
  expect(await refusal({ 'persist/a': kilobytes(600), 'persist/b': kilobytes(600) })).toBe(
    'quota: With 614400 bytes at persist/b, persist/ would hold 1228800 bytes; at most 1048576 are allowed. Write less, or replace what is no longer needed by an empty text.',
  );
  expect(
    await refusal({
      'output/1': kilobytes(1024),
      'plan/2': kilobytes(1024),
      'plan/3': kilobytes(1024),
      'plan/4': 'x',
    }),
  ).toBe(
    'quota: With 1 bytes at plan/4, the folders beside persist/ would hold 3145729 bytes; at most 3145728 are allowed. Write less, or replace what is no longer needed by an empty text.',
  );
  expect(await refusal({ 'output/1': '', 'plan/4': 'x', 'persist/a': '', 'persist/b': kilobytes(600) })).toBe(
    'written',
  );
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`persist/n${index}`, '']));
  expect(await refusal(many)).toBe(
    'quota: There are 100 files in persist/ already, and no more may be added. Write to one that exists.',
  );
  const parts = 'a/'.repeat(10);
  expect(await refusal({ [`output/${parts}b`]: 'x' })).toBe(
    'invalid_input: The path is too long: at most 10 parts and 300 characters.',
  );
});

test('repeated writes of a large file are refused before the disk is full', async () => {
  const storage = begin();
  const text = (index: number) => String(index).padEnd(1024 * 1024, '.');
  const writeAll = async () => {
    for (let index = 0; index < 70; index += 1) await put(storage, { 'output/a': text(index) });
  };
  await expect(writeAll()).rejects.toMatchObject({ kind: 'quota' });
  const { files } = await storage.open();
  expect((await files.read('output/a', 2)).bytes.toString()).toBe('64');
  await put(storage, { 'output/b': 'still works' });
});

test('a resumed session has its earlier files, and promotes its earlier changes', async () => {
  const before = begin();
  await put(before, { 'persist/old.md': 'old', 'persist/other.md': 'other' });
  await before.promote();
  const waiting = begin();
  await put(waiting, { 'scratch/deep/n.md': 'draft', 'persist/old.md': 'newer' });
  const snapshot = await waiting.snapshot();
  expect(snapshot).toEqual({ 'persist/old.md': 'newer', 'scratch/deep/n.md': 'draft' });

  const meanwhile = begin();
  await put(meanwhile, { 'persist/other.md': 'changed meanwhile' });
  await meanwhile.promote();
  const untouched = begin({ restored: snapshot ?? {} });
  expect(await untouched.snapshot()).toEqual(snapshot);
  const resumed = begin({ restored: snapshot ?? {} });
  await resumed.promote();
  const { files } = await resumed.open();
  expect((await files.read('scratch/deep/n.md')).bytes.toString()).toBe('draft');
  expect(await kept(begin())).toEqual({ 'old.md': 'newer', 'other.md': 'changed meanwhile' });
});

test('changes of one file are made in turn', async () => {
  const storage = begin();
  const add = (text: string) => storage.change('output/log', by, (before) => `${before ?? ''}${text}`);
  await Promise.all(Array.from({ length: 20 }, (_, index) => add(`${index},`)));
  const { files } = await storage.open();
  expect((await files.read('output/log')).bytes.toString()).toBe(
    Array.from({ length: 20 }, (_, index) => `${index},`).join(''),
  );
  expect(statSync(path.join(base, 'run-1/output')).mode & 0o777).toBe(0o700);
});

test('a run has its own files once it writes outside persist', async () => {
  const storage = begin({ restored: { 'persist/a': 'x' } });
  const closed = await storage.hasOwnFiles();
  await storage.open();
  const restored = await storage.hasOwnFiles();
  await put(storage, { 'persist/b': 'x' });
  const kept = await storage.hasOwnFiles();
  await put(storage, { 'plan/a': 'x' });
  expect([closed, restored, kept, await storage.hasOwnFiles()]).toEqual([false, false, false, true]);
  expect([storage.roots, storage.locate(' /plan//a/ ')]).toEqual([
    ['output', 'scratch', 'plan', 'summaries', 'persist'],
    'plan/a',
  ]);
});

test('each change stores the earlier content and counts as read', async () => {
  const storage = begin();
  await put(storage, { '/output/a': 'one', 'output/a': 'two' });
  const before = (name: string) => readFileSync(path.join(base, 'run-1-before', name), 'utf8');
  const note = { path: 'output/a', object: null, tool: by.tool, call_id: 'call_1' };
  const hash = contentHash(Buffer.from('one'));
  expect([
    before('index.jsonl')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
    before(hash),
  ]).toEqual([
    [
      { ...note, before: null, mode: null },
      { ...note, before: hash, mode: 0o644 },
    ],
    'one',
  ]);
  const { memory, files } = await storage.open();
  const check = (text: string) => () => memory.check('output/a', Buffer.from(text));
  expect(check('two')).not.toThrow();
  expect(check('one')).toThrow('output/a changed since it was last read.');
  await expect(storage.change('output', by, () => 'x')).rejects.toMatchObject({ kind: 'is_directory' });
  await expect(
    storage.change('output/a', by, () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect((await files.read('output/a')).bytes.toString()).toBe('two');
});

test('earlier versions with the same content count once', async () => {
  const storage = begin();
  const texts = ['a', 'b'].map((letter) => letter.repeat(1024 * 1024));
  for (let round = 0; round < 66; round += 1) await put(storage, { 'output/a': texts[round % 2] ?? '' });
  await put(storage, { 'output/a': 'c' });
  expect(await storage.snapshot()).toEqual({ 'output/a': 'c' });
});

test('restored files with an invalid path or size are dropped', async () => {
  const large = 'x'.repeat(1024 * 1024 + 1);
  const restored = {
    'output/a': 'a',
    'output//b': 'b',
    'src/c': 'c',
    'output/large': large,
    'persist/d': 'hunter22',
  };
  const storage = begin({ restored });
  expect([await storage.snapshot(), await begin().snapshot()]).toEqual([restored, null]);
  await storage.open();
  expect(await storage.snapshot()).toEqual({ 'output/a': 'a', 'persist/d': '[redacted]' });
  const empty = begin();
  await empty.open();
  expect(await empty.snapshot()).toBeNull();
});

test('a file deleted by another program is promoted as deleted', async () => {
  const first = begin();
  await put(first, { 'persist/b': 'b', 'persist/a': 'a' });
  rmSync(path.join(base, 'run-1/persist/a'));
  await first.promote();
  const [key = ''] = await store.list('persist/');
  expect([key, await store.get(key)]).toEqual([
    'persist/000000000001000-run_1',
    '{"v":1,"files":{"a":null,"b":"b"}}',
  ]);
});
