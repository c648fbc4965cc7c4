import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noAttachments, saveAttachments } from '../../../src/workspace/files/attachments.ts';
import { temporaryFolder } from '../repository.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('attachments');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('stores images with private modes and reports missing ones', async () => {
  const told: string[] = [];
  const attachments = await saveAttachments(
    folder,
    [
      { name: 'image-1', bytes: Buffer.from('one') },
      { name: 'image-2', failure: 'GitHub answered 404.' },
    ],
    (message) => told.push(message),
  );
  const kept = path.join(folder, 'attachments');
  const modes = [kept, path.join(kept, 'image-1')].map((at) => statSync(at).mode & 0o777);
  expect([attachments.names, told, readdirSync(kept), modes]).toEqual([
    ['image-1', 'image-2'],
    ['image-2 of the thread could not be fetched: GitHub answered 404.'],
    ['image-1'],
    [0o700, 0o600],
  ]);
  expect((await attachments.read('image-1')).toString()).toBe('one');
  await expect(attachments.read('image-2')).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'image-2 could not be fetched: GitHub answered 404. Go on without it.',
  });
  await expect(attachments.read('image-3')).rejects.toMatchObject({
    kind: 'not_found',
    message: 'Nothing is attached as image-3.',
  });
});

test('without images no folder is made, and nothing can be read', async () => {
  const none = await saveAttachments(folder, [], () => {});
  expect([none.names, noAttachments.names, existsSync(path.join(folder, 'attachments'))]).toEqual([
    [],
    [],
    false,
  ]);
  await expect(noAttachments.read('image-1')).rejects.toMatchObject({ kind: 'not_found' });
});
