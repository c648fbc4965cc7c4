import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fullDiskOfGit } from '../../src/workspace/git/run-git.ts';

/** Writes two files with space for one, and prints the error and the remaining files. */
const script = `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConfinedFiles } from ${JSON.stringify(path.resolve('src/workspace/files/create-confined-files.ts'))};
import { fullDiskOfGit } from ${JSON.stringify(path.resolve('src/workspace/git/run-git.ts'))};
const root = process.argv[1];
writeFileSync(root + '/a', 'old');
const content = Buffer.alloc(70_000);
const said = await createConfinedFiles({ root, readOnlyRoots: [] })
  .write(['a', 'b'].map((path) => ({ path, content })))
  .catch(({ kind, message }) => ({ kind, message }));
const { code, message, syscall, path } = await fullDiskOfGit(root, 'git ended');
const full = { code, message, syscall, path };
console.log(JSON.stringify({ said, left: readdirSync(root), a: readFileSync(root + '/a', 'utf8'), full }));
`;

test('on a full disk nothing is written, and the error says so', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'full-'));
  const room = ['--dev-bind', '/', '/', '--size', '100000', '--tmpfs', root];
  const command = [process.execPath, '--input-type=module', '-e', script, root];
  const printed = execFileSync('bwrap', [...room, '--', ...command], { encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual({
    said: { kind: 'no_space', message: 'The disk is full: nothing was written to a, b.' },
    left: ['a'],
    a: 'old',
    full: { code: 'ENOSPC', message: `the disk of ${root} is full: git ended`, syscall: 'write', path: root },
  });
  rmSync(root, { recursive: true });
});

test('a disk with free space, without a size limit or that does not exist is not full', async () => {
  expect(
    await Promise.all([tmpdir(), '/proc', '/nowhere'].map((folder) => fullDiskOfGit(folder, 'x'))),
  ).toEqual([...[null, null, null]]);
});
