import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Change } from '../../../src/contract/change.ts';
import { ToolError } from '../../../src/contract/errors.ts';
import { contentHash, createBeforeImages } from '../../../src/workspace/changes/before-images.ts';
import { restorePlan } from '../../../src/workspace/changes/restore-plan.ts';
import { isBelow } from '../../../src/workspace/changes/restore-run.ts';
import { noAttachments, saveAttachments } from '../../../src/workspace/files/attachments.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'anode-images-'));
});
afterEach(() => rmSync(base, { recursive: true }));

const change = (one: Partial<Change>) => one as Change;

test('each path returns to its content before the first change, unless it already has it', () => {
  expect(
    restorePlan([
      change({ path: 'a', kind: 'modify', before: '1', after: '2' }),
      change({ path: 'new', kind: 'add', before: null, after: '3' }),
      change({ path: 'a', kind: 'modify', before: '2', after: '4' }),
      change({ path: 'same', kind: 'modify', before: '5', after: '6' }),
      change({ path: 'same', kind: 'modify', before: '6', after: '5' }),
      change({ path: 'gone', kind: 'delete', before: '7', after: null }),
      change({ path: 'to', kind: 'rename', old_path: 'from', before: '8', after: '9' }),
      change({ path: 'odd', kind: 'rename', before: '8', after: '9' }),
      change({ path: 'new', kind: 'delete', before: '3', after: null }),
    ]),
  ).toEqual(
    [
      { path: 'a', before: '1', left: '4' },
      { path: 'gone', before: '7', left: null },
      { path: 'from', before: '8', left: null },
      { path: 'to', before: null, left: '9' },
      { path: 'odd', before: '8', left: '9' },
    ].map((step) => ({ ...step, beforeMode: null, leftMode: null })),
  );
});

test('each path returns to its mode too', () => {
  const [file, tool, link] = ['100644', '100755', '120000'];
  expect(
    restorePlan([
      change({ path: 'a', kind: 'modify', before: '1', after: '1', before_mode: file, after_mode: tool }),
      change({ path: 'b', kind: 'modify', before: '1', after: '2', before_mode: file, after_mode: link }),
      change({ path: 'b', kind: 'modify', before: '2', after: '1', before_mode: link, after_mode: file }),
      change({
        path: 'c',
        kind: 'rename',
        old_path: 'd',
        before: '1',
        after: '1',
        before_mode: tool,
        after_mode: file,
      }),
    ]),
  ).toEqual([
    { path: 'a', before: '1', left: '1', beforeMode: file, leftMode: tool },
    { path: 'd', before: '1', left: null, beforeMode: tool, leftMode: null },
    { path: 'c', before: null, left: '1', beforeMode: null, leftMode: file },
  ]);
});

test('matches a path by itself, by a folder above, or by an empty request', () => {
  const asked = ['', 'a/b', 'a', 'a/bc', 'a/b/c', 'b'];
  expect(asked.map((one) => isBelow('a/b', one))).toEqual([true, true, true, false, false, false]);
});

test('stores each image once by its hash with private modes', async () => {
  const folder = join(base, 'before');
  const images = createBeforeImages(folder);
  const content = Buffer.from('one');
  await images.record([]);
  const untouched = readdirSync(base);
  const hash = await images.store(content);
  expect([hash, await images.store(content), await createBeforeImages(folder).store(content)]).toEqual(
    Array(3).fill(contentHash(content)),
  );
  const image = { path: 'a', before: hash, object: null, mode: 0o644, tool: 't', call_id: 'c' };
  await images.record([image, { ...image, path: 'b' }]);
  await images.record([image]);
  expect([
    untouched,
    readFileSync(join(folder, hash), 'utf8'),
    readFileSync(join(folder, 'index.jsonl'), 'utf8'),
    ...['', hash, 'index.jsonl'].map((name) => statSync(join(folder, name)).mode & 0o777),
  ]).toEqual([
    [],
    'one',
    ['a', 'b', 'a'].map((path) => `${JSON.stringify({ ...image, path })}\n`).join(''),
    ...[0o700, 0o600, 0o600],
  ]);
});

const refusal = async (call: Promise<unknown>) => {
  try {
    return await call;
  } catch (error) {
    return error instanceof ToolError ? `${error.kind}: ${error.message}` : error;
  }
};

test('an attachment is read by its name, and a missing one gives the reason', async () => {
  const told: string[] = [];
  const bytes = Buffer.from('png');
  const attachments = await saveAttachments(
    base,
    [
      { name: 'image-1', bytes },
      { name: 'image-2', failure: 'It is gone.' },
    ] as Parameters<typeof saveAttachments>[1],
    (message) => told.push(message),
  );
  expect([
    attachments.names,
    await attachments.read('image-1'),
    await refusal(attachments.read('image-2')),
    await refusal(attachments.read('image-3')),
    await refusal(noAttachments.read('image-1')),
    noAttachments.names,
    told,
    ...['', 'image-1'].map((name) => statSync(join(base, 'attachments', name)).mode & 0o777),
  ]).toEqual([
    ['image-1', 'image-2'],
    bytes,
    'unavailable: image-2 could not be fetched: It is gone. Go on without it.',
    'not_found: Nothing is attached as image-3.',
    'not_found: Nothing is attached as image-1.',
    [],
    ['image-2 of the thread could not be fetched: It is gone.'],
    ...[0o700, 0o600],
  ]);
});
