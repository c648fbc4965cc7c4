import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BeforeImage, createBeforeImages } from '../../../src/workspace/changes/before-images.ts';
import { temporaryFolder } from '../repository.ts';
import { sha256 } from '../workspace-fixture.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder('images');
});
afterEach(() => rmSync(base, { recursive: true }));

const modes = (...names: string[]) => names.map((name) => statSync(path.join(base, name)).mode & 0o777);

test('stores contents by hash with private modes and adds one index line each', async () => {
  const images = createBeforeImages(path.join(base, 'run/before'));
  await images.record([]);
  expect(existsSync(path.join(base, 'run'))).toBe(false);
  const line = (name: string): BeforeImage => ({
    ...{ path: name, before: null, object: null, mode: null, tool: 'edit_file', call_id: 'c' },
  });
  await images.record([line('a'), line('b')]);
  await images.record([line('c')]);
  const one = await images.store(Buffer.from('one'));
  expect([one, await images.store(Buffer.from('one')), await images.store(Buffer.from('two'))]).toEqual(
    ['one', 'one', 'two'].map(sha256),
  );
  expect([
    readdirSync(path.join(base, 'run/before')).sort(),
    readFileSync(path.join(base, 'run/before', one), 'utf8'),
    readFileSync(path.join(base, 'run/before/index.jsonl'), 'utf8'),
    modes('run', 'run/before', `run/before/${one}`, 'run/before/index.jsonl'),
  ]).toEqual([
    [sha256('one'), sha256('two'), 'index.jsonl'].sort(),
    'one',
    ['a', 'b', 'c'].map((name) => `${JSON.stringify(line(name))}\n`).join(''),
    [0o700, 0o700, 0o600, 0o600],
  ]);
});

test('stores contents before there is an index', async () => {
  const hash = await createBeforeImages(path.join(base, 'before')).store(Buffer.from(''));
  expect([readdirSync(path.join(base, 'before')), modes('before')]).toEqual([[hash], [0o700]]);
});

test('fails with the error of the system if the folder cannot be made', async () => {
  writeFileSync(path.join(base, 'file'), '');
  const images = createBeforeImages(path.join(base, 'file/before'));
  await expect(images.store(Buffer.from('one'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});
