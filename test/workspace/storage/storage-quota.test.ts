import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { createStorageQuota, type StorageQuota } from '../../../src/workspace/storage/run-storage.ts';
import { storageLimits } from '../../../src/workspace/storage/storage-path.ts';

/** The reason why a file may not be written, or null if it may. */
function refused(quota: StorageQuota, path: string, bytes: number): string | null {
  try {
    quota.check(path, bytes);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError);
    return error instanceof ToolError ? `${error.kind}: ${error.message}` : 'another error';
  }
}

const { fileBytes, bytes, files, persistentBytes: keptBytes, persistentFiles: keptFiles } = storageLimits;

test('each file has a size limit', () => {
  const quota = createStorageQuota();
  expect([refused(quota, 'plan/a', fileBytes), refused(quota, 'plan/a', fileBytes + 1)]).toEqual([
    null,
    `quota: plan/a would have ${fileBytes + 1} bytes; one file may have ${fileBytes}. Split it.`,
  ]);
});

test('counts the bytes of each file once, and persistent files separately', () => {
  const quota = createStorageQuota();
  for (const name of ['a', 'b', 'c']) quota.set(`plan/${name}`, fileBytes);
  quota.set('persist/a', keptBytes - 1);
  quota.set('plan/c', fileBytes - 1);
  const left = bytes - 3 * fileBytes + 1;
  expect([
    refused(quota, 'plan/d', left),
    refused(quota, 'plan/c', fileBytes),
    refused(quota, 'plan/d', left + 1),
    refused(quota, 'persist/b', 1),
    refused(quota, 'persist/b', 2),
  ]).toEqual([
    null,
    null,
    `quota: With ${left + 1} bytes at plan/d, the folders beside persist/ would hold ${bytes + 1} bytes; at most ${bytes} are allowed. Write less, or replace what is no longer needed by an empty text.`,
    null,
    `quota: With 2 bytes at persist/b, persist/ would hold ${keptBytes + 1} bytes; at most ${keptBytes} are allowed. Write less, or replace what is no longer needed by an empty text.`,
  ]);
});

test('at the largest number of files, none can be added but existing ones can be written', () => {
  const quota = createStorageQuota();
  for (let at = 0; at < files; at++) quota.set(`plan/${at}`, 0);
  for (let at = 1; at < keptFiles; at++) quota.set(`persist/${at}`, 0);
  const last = refused(quota, 'persist/0', 0);
  quota.set('persist/0', 0);
  expect([
    last,
    ...['plan/0', 'persist/0', 'plan/x', 'persist/x'].map((path) => refused(quota, path, 1)),
  ]).toEqual([
    ...[null, null, null],
    `quota: There are ${files} files in the folders beside persist/ already, and no more may be added. Write to one that exists.`,
    `quota: There are ${keptFiles} files in persist/ already, and no more may be added. Write to one that exists.`,
  ]);
});

test('paths are listed in order', () => {
  const quota = createStorageQuota();
  for (const name of ['plan/b', 'persist/a', 'plan/a']) quota.set(name, 1);
  expect(quota.paths()).toEqual(['persist/a', 'plan/a', 'plan/b']);
});
