import {
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
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileStateStore } from '../../src/state/file-state-store.ts';
import { signValue } from '../../src/state/sign-value.ts';

let parent = '';
let folder = '';
const rejected: string[] = [];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'anode-files-'));
  folder = join(parent, 'state');
  rejected.length = 0;
});
afterEach(() => rmSync(parent, { recursive: true }));

const open = (secret: string | null = null) =>
  createFileStateStore({ folder, secret, onRejected: (message) => rejected.push(message) });
const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);

test('a value is a file for its user alone, signed if there is a secret', async () => {
  await open().set('kind/1', 'plain');
  await open('s').set('kind/2/b', 'signed');
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  expect([read('kind/1.json'), read('kind/2/b.json')]).toEqual([
    { v: 1, value: 'plain', signature: null },
    { v: 1, value: 'signed', signature: signValue('s', 'kind/2/b', 'signed') },
  ]);
  expect(['.', 'kind', 'kind/2', 'kind/1.json', 'kind/2/b.json'].map(modeOf)).toEqual([
    ...['700', '700', '700', '600', '600'],
  ]);
  // Without a secret the folder is trusted, whatever is signed.
  expect([await open().get('kind/2/b'), await open('s').get('kind/2/b'), await open().get('kind/3')]).toEqual(
    [...['signed', 'signed', null]],
  );
  expect(rejected).toEqual([]);
});

test('a value in another form or without our signature is absent, and its key can be claimed', async () => {
  mkdirSync(join(folder, 'kind'), { recursive: true });
  const put = (name: string, text: string) => writeFileSync(join(folder, `kind/${name}.json`), text);
  put('text', 'no json');
  put('later', '{"v":2,"value":"x","signature":null}');
  put('more', '{"v":1,"value":"x","signature":null,"more":1}');
  put('unsigned', '{"v":1,"value":"x","signature":null}');
  put('forged', `{"v":1,"value":"x","signature":"${'0'.repeat(64)}"}`);
  put('short', '{"v":1,"value":"x","signature":"0"}');
  const names = ['text', 'later', 'more', 'unsigned', 'forged', 'short'];
  const store = open('s');
  const values = [];
  for (const name of names) values.push(await store.get(`kind/${name}`));
  expect(values).toEqual([null, null, null, null, null, null]);
  const format = (name: string) => `The state at kind/${name} is not in our format; it is taken as absent.`;
  const secret = (name: string) =>
    `The state at kind/${name} is not signed with our secret; it is taken as absent.`;
  expect(rejected).toEqual([...names.slice(0, 3).map(format), ...names.slice(3).map(secret)]);
  const claims = [
    await store.claim('kind/forged', 'ours'),
    await store.claim('kind/forged', 'later'),
    await store.claim('kind/new', 'ours'),
  ];
  expect([claims, await store.get('kind/forged'), await store.get('kind/new')]).toEqual([
    ...[[true, false, true], 'ours', 'ours'],
  ]);
});

test('keys are listed by prefix and sorted, and other files are no keys', async () => {
  const store = open();
  expect(await store.list('kind/')).toEqual([]);
  const keys = ['kind/b', 'kind/a/x', 'kind/.a', 'kind/ü', 'other/a', 'top'];
  for (const key of keys) await store.set(key, key);
  for (const name of ['kind/.hidden.json', 'kind/text.txt', '.top.json'])
    writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'kind/folder.json'));
  expect([
    await store.list(''),
    await store.list('kind/'),
    await store.list('kind/a'),
    await store.list('kind/a/'),
    await store.list('to'),
    await store.list('/'),
  ]).toEqual([
    keys.toSorted(),
    ['kind/.a', 'kind/a/x', 'kind/b', 'kind/ü'],
    ['kind/a/x'],
    ['kind/a/x'],
    ['top'],
    [],
  ]);
  expect(files()).toContain('kind/%2Ea.json');
});

test('values written before a time are deleted below a prefix', async () => {
  const store = open();
  const at = new Date('2026-01-02T03:04:05Z');
  for (const [key, seconds] of [
    ['old/a', -1],
    ['old/b', 0],
    ['older/a', -1],
  ] as const) {
    await store.set(key, key);
    const time = at.getTime() / 1_000 + seconds;
    utimesSync(join(folder, `${key}.json`), time, time);
  }
  expect([await store.deleteOld('old/', at), await store.list('')]).toEqual([1, ['old/b', 'older/a']]);
  await store.delete('old/b');
  await store.delete('old/b');
  expect(await store.list('')).toEqual(['older/a']);
});

test('a tenant consists of its folders and files directly below a kind, and is deleted with all of them', async () => {
  const store = open();
  expect([await store.tenants(), await store.deleteTenant('4.1.0')]).toEqual([[], 0]);
  const own = ['kind/4.1.0/a/b', 'kind/4.1.0/c', 'toolbox/4.1.0'];
  const others = ['kind/4.1.1/a', 'kind/x/4.1.0', 'name/4.1', '4.1.0'];
  for (const key of [...own, ...others]) await store.set(key, key);
  expect([
    await store.tenants(),
    await store.deleteTenant('4.1.0'),
    await store.deleteTenant('4.1.0'),
  ]).toEqual([...[['4.1.0', '4.1.1'], 3, 0]]);
  expect(files()).toEqual(others.map((key) => `${key}.json`).toSorted());
});

test('a failed write leaves no temporary file, and failures other than absence are thrown', async () => {
  const store = open();
  mkdirSync(join(folder, 'kind/taken.json'), { recursive: true });
  await expect(store.set('kind/taken', 'x')).rejects.toThrow('EISDIR');
  await expect(store.get('kind/taken')).rejects.toThrow('EISDIR');
  await store.set('kind/a', 'one');
  await store.set('kind/a', 'two');
  expect([await store.claim('kind/a', 'three'), await store.get('kind/a'), files()]).toEqual([
    ...[false, 'two', ['kind/a.json']],
  ]);
  const onFile = createFileStateStore({
    folder: join(folder, 'kind/a.json'),
    secret: null,
    onRejected: () => {},
  });
  await expect(onFile.get('x')).rejects.toThrow('ENOTDIR');
  await expect(onFile.list('')).rejects.toThrow('ENOTDIR');
  await expect(onFile.tenants()).rejects.toThrow('ENOTDIR');
});
