import { closeSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDirectory, openEntryDirectory } from '../../../src/workspace/files/open-confined.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'anode-confined-')));
  mkdirSync(path.join(root, 'real/deep'), { recursive: true });
  symlinkSync('real', path.join(root, 'link'));
});
afterAll(() => rmSync(root, { recursive: true }));

test('a path may lead through a link to a folder, but an entry of an open folder may not', () => {
  const top = openDirectory(root, root, '');
  const through = openDirectory(root, path.join(root, 'link/deep'), 'link/deep');
  const entry = openEntryDirectory(root, top, 'real', 'real');
  expect([through.relative, entry.relative]).toEqual(['real/deep', 'real']);
  expect(() => openEntryDirectory(root, top, 'link', 'link')).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^(ELOOP|ENOTDIR)$/) }),
  );
  for (const { fd } of [top, through, entry]) closeSync(fd);
});
