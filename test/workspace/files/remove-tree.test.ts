import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../../../src/workspace/files/remove-tree.ts';
import { goDeep } from '../go-deep.ts';

test('removes a folder with everything in it, and nothing that its links lead to', async () => {
  const base = mkdtempSync(join(tmpdir(), 'anode-remove-'));
  const [folder, other] = [join(base, 'folder'), join(base, 'other')];
  for (const one of [folder, other]) mkdirSync(one);
  writeFileSync(join(other, 'kept'), '');
  symlinkSync(other, join(folder, 'link'));
  goDeep(folder);
  // Invalid names, and a folder without permissions.
  execFileSync('bash', [
    '-c',
    String.raw`cd "$1" && mkdir $'\xff' shut && touch $'\xff/\xfe' shut/a && chmod 0 shut`,
    '',
    folder,
  ]);
  await removeTree(folder);
  expect([folder, join(other, 'kept')].map((path) => existsSync(path))).toEqual([false, true]);
  await removeTree(base);
  await removeTree(base);
});

test('throws for a value that is not a path', async () => {
  await expect(removeTree('a\0b')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
});
