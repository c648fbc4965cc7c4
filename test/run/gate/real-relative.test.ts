import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realRelative } from '../../../src/run/gate/real-relative.ts';

let base: string;
beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), 'anode-gate-'));
  for (const folder of ['tree', 'spill', 'lib', 'far/away', 'other']) {
    mkdirSync(path.join(base, folder), { recursive: true });
    writeFileSync(path.join(base, folder, 'a.txt'), 'a');
  }
  symlinkSync('../lib', path.join(base, 'tree/into'));
  symlinkSync('../other', path.join(base, 'lib/out'));
  symlinkSync('../tree', path.join(base, 'lib/back'));
});
afterAll(() => rmSync(base, { recursive: true }));

test('paths in registered repositories are resolved to their real targets, and all others outside are not', () => {
  const root = path.join(base, 'tree');
  const repositories = [
    { name: 'lib', displayPath: '../lib', root: path.join(base, 'lib') },
    { name: 'away', displayPath: '../named', root: path.join(base, 'far/away') },
  ];
  const found = (given: string) => realRelative(root, path.join(base, 'spill'), given, repositories);
  const given = [
    'a.txt',
    '..name',
    '../spill/a.txt',
    '../lib/a.txt',
    '../lib/new/file',
    '../named/a.txt',
    'into/a.txt',
    '../lib/back/a.txt',
    '../lib/out/a.txt',
    '../lib/../other/a.txt',
    '../named/../other',
    '../library',
    '../other/a.txt',
    '/etc/passwd',
  ];
  expect(given.map(found)).toEqual([
    'a.txt',
    '..name',
    path.join(base, 'spill/a.txt'),
    path.join(base, 'lib/a.txt'),
    path.join(base, 'lib/new/file'),
    path.join(base, 'far/away/a.txt'),
    path.join(base, 'lib/a.txt'),
    'a.txt',
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('an overlong path is evaluated by its existing part', () => {
  const root = path.join(base, 'tree');
  const found = (given: string) => realRelative(root, path.join(base, 'spill'), given);
  const long = `${'b/'.repeat(200_000)}c`;
  expect([found(long), found(`../${long}`), found(`into/${long}`), found('n'.repeat(300_000))]).toEqual([
    ...[long, null, null, 'n'.repeat(300_000)],
  ]);
});
