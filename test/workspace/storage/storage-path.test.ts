import { expect, test } from 'vitest';
import { ToolError } from '../../../src/contract/errors.ts';
import { createStorageQuota } from '../../../src/workspace/storage/run-storage.ts';
import { storagePath, storageRoots } from '../../../src/workspace/storage/storage-path.ts';

const refusal = (call: () => unknown) => {
  try {
    return call();
  } catch (error) {
    return error instanceof ToolError ? `${error.kind}: ${error.message}` : error;
  }
};
const roots = ['output', 'scratch'];
const place = (given: string) => refusal(() => storagePath(given, roots));

test('the folders of a run have a fixed order', () => {
  expect(storageRoots).toEqual(['output', 'scratch', 'plan', 'summaries', 'persist']);
});

test.each([
  ['', ''],
  ['/', ''],
  ['.', ''],
  [' ./ ', ''],
  ['output', 'output'],
  [' //output//a/../b/ ', 'output/b'],
  ['scratch/./a', 'scratch/a'],
  ['output/../scratch', 'scratch'],
  [`output/${'a'.repeat(293)}`, `output/${'a'.repeat(293)}`],
  ['output/2/3/4/5/6/7/8/9/10', 'output/2/3/4/5/6/7/8/9/10'],
])('%j is normalised to %j', (given, normal) => {
  expect(place(given)).toBe(normal);
});

const long = 'invalid_input: The path is too long: at most 10 parts and 300 characters.';
const control = 'invalid_input: A path cannot hold line breaks or other control characters.';

test.each([
  [`output/${'a'.repeat(294)}`, long],
  ['output/2/3/4/5/6/7/8/9/10/11', long],
  ['output/a\nb', control],
  ['output/a\u007fb', control],
  ['output/a\u0000', control],
  [
    'src/a.ts',
    "outside_workspace: src/a.ts is none of the run's own files: their paths begin with output/, scratch/. For files of the repository use read, grep or edit_file.",
  ],
  [
    '../output',
    "outside_workspace: ../output is none of the run's own files: their paths begin with output/, scratch/. For files of the repository use read, grep or edit_file.",
  ],
  [
    'persist/a',
    'outside_workspace: persist/a: this run has no persist/, since nothing is stored for later runs. Use output/, scratch/.',
  ],
])('%j is refused', (given, why) => {
  expect(place(given)).toBe(why);
});

const mebibyte = 1024 * 1024;

test('one file may have exactly 1 MiB', () => {
  const quota = createStorageQuota();
  expect([
    refusal(() => quota.check('output/a', mebibyte)),
    refusal(() => quota.check('output/a', mebibyte + 1)),
  ]).toEqual([undefined, 'quota: output/a would have 1048577 bytes; one file may have 1048576. Split it.']);
});

test('the folders of a run may have 3 MiB together, without a file that is replaced', () => {
  const quota = createStorageQuota();
  for (const name of ['a', 'b']) quota.set(`output/${name}`, mebibyte);
  quota.set('output/c', mebibyte - 1);
  quota.set('persist/x', mebibyte);
  expect([
    refusal(() => quota.check('output/d', 1)),
    refusal(() => quota.check('output/c', mebibyte)),
    refusal(() => quota.check('output/d', 2)),
    quota.paths(),
  ]).toEqual([
    undefined,
    undefined,
    'quota: With 2 bytes at output/d, the folders beside persist/ would hold 3145729 bytes; at most 3145728 are allowed. Write less, or replace what is no longer needed by an empty text.',
    ['output/a', 'output/b', 'output/c', 'persist/x'],
  ]);
});

test('files for later runs have a limit of their own', () => {
  const quota = createStorageQuota();
  quota.set('persist/a', mebibyte);
  quota.set('output/a', mebibyte);
  expect([refusal(() => quota.check('persist/b', 1)), refusal(() => quota.check('persist/a', 1))]).toEqual([
    'quota: With 1 bytes at persist/b, persist/ would hold 1048577 bytes; at most 1048576 are allowed. Write less, or replace what is no longer needed by an empty text.',
    undefined,
  ]);
});

test.each([
  ['output', 300, 'the folders beside persist/'],
  ['persist', 100, 'persist/'],
])('%s may have %i files', (folder, most, name) => {
  const quota = createStorageQuota();
  for (let index = 1; index < most; index += 1) quota.set(`${folder}/${index}`, 0);
  const fits = refusal(() => quota.check(`${folder}/x`, 0));
  quota.set(`${folder}/x`, 0);
  expect([
    fits,
    refusal(() => quota.check(`${folder}/x`, 1)),
    refusal(() => quota.check(`${folder}/y`, 0)),
  ]).toEqual([
    undefined,
    undefined,
    `quota: There are ${most} files in ${name} already, and no more may be added. Write to one that exists.`,
  ]);
});
