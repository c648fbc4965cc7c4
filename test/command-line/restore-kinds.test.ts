import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let outside: string;
beforeAll(async () => {
  local = await startLocal();
  outside = mkdtempSync(path.join(os.tmpdir(), 'restore-outside-'));
  writeFileSync(path.join(outside, 'theirs'), 'theirs\n');
});
afterAll(async () => {
  await local.close();
  rmSync(outside, { recursive: true });
});

/** Every file and link of a checkout, with mode and content. */
function treeOf(root: string, below = ''): string[] {
  return readdirSync(path.join(root, below)).flatMap((name) => {
    const relative = path.join(below, name);
    if (['.git', '.anode-harness'].includes(relative)) return [];
    const at = path.join(root, relative);
    const stats = lstatSync(at);
    if (stats.isDirectory()) return treeOf(root, relative);
    if (stats.isSymbolicLink()) return [`${relative} -> ${readlinkSync(at)}`];
    return [`${relative} ${(stats.mode & 0o777).toString(8)} ${readFileSync(at, 'utf8')}`];
  });
}

/** A checkout with links, a program, and folders. */
async function checkout() {
  const root = await local.checkout({
    ...{ 'plain.txt': 'plain\n', 'tool.sh': 'run\n', 'file-to-link': 'file\n', 'file-to-folder': 'file\n' },
    ...{ 'folder-to-file/a': 'a\n', 'folder-to-file/deep/b': 'b\n', 'folder-to-link/a': 'a\n' },
    ...{ 'nested/x/y/z': 'z\n' },
  });
  const shell = (command: string) => execFileSync('sh', ['-ec', command], { cwd: root });
  shell(`chmod 755 tool.sh
    ln -s plain.txt link
    ln -s nowhere dangling
    ln -s ${outside}/theirs outward
    ln -s plain.txt link-to-folder
    git add -A && git -c user.name=a -c user.email=a@b.c commit -qm links`);
  return root;
}

/** Runs one command by the model. Returns the run's id. */
async function runOf(root: string, name: string, command: string): Promise<string> {
  local.learn(name, (turn) => (turn === 1 ? { calls: [call('bash', { command })] } : { text: 'Done.' }));
  const { stdout } = await local.anode(root, [
    ...['run', '--prompt', name, '--preset', 'unrestricted', '--output', 'json'],
  ]);
  return JSON.parse(stdout).run_id;
}

const everyKind = `
  chmod 600 plain.txt; chmod +x plain.txt; chmod -x tool.sh
  rm link && echo file > link
  rm file-to-link && ln -s plain.txt file-to-link
  rm file-to-folder && mkdir -p file-to-folder/deep && echo new > file-to-folder/deep/new
  rm link-to-folder && mkdir link-to-folder && echo new > link-to-folder/new
  rm -r folder-to-file && echo file > folder-to-file
  rm -r folder-to-link && ln -s nested folder-to-link
  ln -sfn elsewhere dangling; rm outward && echo mine > outward
  rm -r nested && mkdir -p nested/x && ln -s ../../plain.txt nested/x/y
  ln -s /etc/passwd fresh-link
`;

describe.skipIf(!available)('anode restore', () => {
  test('puts back modes, links, and what files, folders and links replaced', async () => {
    const root = await checkout();
    const before = treeOf(root);
    const run = await runOf(root, 'RESTORE-KINDS', everyKind);
    expect(treeOf(root)).not.toEqual(before);
    const dry = await local.anode(root, ['restore', run, '--dry-run']);
    const { code, stdout } = await local.anode(root, ['restore', run]);
    expect([code, stdout]).toEqual([0, dry.stdout.replaceAll('would be ', '')]);
    // Git records no more of a mode than the executable bit.
    expect(treeOf(root)).toEqual(before.map((line) => line.replace('plain.txt 644', 'plain.txt 600')));
    expect(await local.git(root, 'status', '--porcelain')).toBe('');
    expect(readFileSync(path.join(outside, 'theirs'), 'utf8')).toBe('theirs\n');
    expect((await local.anode(root, ['restore', run])).stdout).not.toMatch(/written back|removed/);
  });

  test('names and leaves what a person changed since, with all that is in its place', async () => {
    const root = await checkout();
    const run = await runOf(root, 'RESTORE-CONFLICT', everyKind);
    execFileSync('sh', [
      '-ec',
      `cd ${root}
      ln -sfn mine file-to-link
      echo mine > file-to-folder/mine
      chmod +x folder-to-file
      ln -sfn mine folder-to-link`,
    ]);
    const { code, stdout } = await local.anode(root, ['restore', run]);
    expect([code, stdout.split('\n').filter((line) => line.includes(': left,'))]).toEqual([
      1,
      expect.arrayContaining([
        'file-to-link: left, it was changed after the run',
        "file-to-folder: left, a folder with file-to-folder/mine is in its place, which is not the run's",
        'folder-to-file: left, it was changed after the run',
        'folder-to-file/a: left, folder-to-file is in the place of its folder',
        'folder-to-file/deep/b: left, folder-to-file is in the place of its folder',
        'folder-to-link: left, it was changed after the run',
        'folder-to-link/a: left, folder-to-link is in the place of its folder',
      ]),
    ]);
    const forced = await local.anode(root, ['restore', run, '--force']);
    expect([forced.code, forced.stdout.split('\n').filter((line) => line.includes(': left,'))]).toEqual([
      1,
      ["file-to-folder: left, a folder with file-to-folder/mine is in its place, which is not the run's"],
    ]);
    expect(await local.git(root, 'status', '--porcelain')).toBe(' D file-to-folder\n');
    expect(readFileSync(path.join(root, 'file-to-folder/mine'), 'utf8')).toBe('mine\n');
  });

  test('commits what a run replaced, links too', async () => {
    const root = await checkout();
    const run = await runOf(root, 'RESTORE-COMMIT', everyKind);
    const { code, stderr } = await local.anode(root, ['commit', run, '--message', 'Replace'], {
      environment: {
        ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.c' },
        ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.c' },
      },
    });
    expect([code, stderr, await local.git(root, 'status', '--porcelain')]).toEqual([0, '', '']);
  });
});
