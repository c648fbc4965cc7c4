import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';

/** Prunes a folder with these files, oldest first; returns the exit code and what is left. */
function prune(names, count, folderName = 'plain') {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'prune-')), folderName);
  mkdirSync(folder);
  names.forEach((name, at) => {
    writeFileSync(path.join(folder, name), name);
    utimesSync(path.join(folder, name), 1000 + at, 1000 + at);
  });
  const { status } = spawnSync('sh', ['scripts/prune.sh', folder, count]);
  return { status, left: readdirSync(folder).sort() };
}

test('keeps as many as asked for, the newest', () => {
  assert.deepEqual(prune(['a.bak', 'b.bak', 'c.bak'], '2'), { status: 0, left: ['b.bak', 'c.bak'] });
  assert.deepEqual(prune(['a.bak', 'b.bak'], '5'), { status: 0, left: ['a.bak', 'b.bak'] });
  assert.deepEqual(prune(['a.bak', 'b.bak'], '0'), { status: 0, left: [] });
});

test('spaces, dashes and globs in names harm nothing', () => {
  const names = ['-rf.bak', 'a b.bak', 'b.bak', '*.bak'];
  assert.deepEqual(prune(names, '2', 'two words'), { status: 0, left: ['*.bak', 'b.bak'] });
});

test('other files are left alone, and a folder without backups', () => {
  assert.deepEqual(prune(['a.txt'], '1'), { status: 0, left: ['a.txt'] });
  assert.deepEqual(prune([], '1'), { status: 0, left: [] });
});

test('a count that is no number changes nothing', () => {
  assert.deepEqual(prune(['a.bak', 'b.bak'], 'all'), { status: 2, left: ['a.bak', 'b.bak'] });
  assert.deepEqual(prune(['a.bak', 'b.bak'], '-1'), { status: 2, left: ['a.bak', 'b.bak'] });
});
