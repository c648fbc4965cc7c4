import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const text = readFileSync('README.md', 'utf8');
const [, section = ''] = /## Options\n([\s\S]*?)\n## Licence/.exec(text) ?? [];
const rows = section
  .split('\n')
  .filter((line) => line.trim().startsWith('|'))
  .map((line) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim()),
  );

test('the table has each option with its default', () => {
  assert.deepEqual(rows[0], ['Option', 'Default', 'Meaning']);
  const options = rows.slice(2).map(([option, value]) => [option, value.replaceAll(/[–—]/g, '-')]);
  assert.deepEqual(options.sort(), [
    ['`--cache-seconds`', '`60`'],
    ['`--folder`', '`public`'],
    ['`--host`', '`127.0.0.1`'],
    ['`--port`', '`8080`'],
    ['`--quiet`', '-'],
  ]);
});

test('each option has a meaning of its own', () => {
  const meanings = rows.slice(2).map(([, , meaning]) => meaning);
  assert.ok(meanings.every((meaning) => meaning.length > 5));
  assert.equal(new Set(meanings).size, meanings.length);
});

test('the environment variable is named with what it overrides', () => {
  const below = section.split('\n').filter((line) => !line.trim().startsWith('|'));
  assert.match(below.join(' '), /`?PORT`?.*--port|--port.*`?PORT`?/);
});

test('the rest is as it was', () => {
  assert.match(text, /^# serve\n\nServes a folder of files\.\n\n## Options\n/);
  assert.match(text, /\n## Licence\n\nMIT\n$/);
  const changed = execFileSync('git', ['diff', '--name-only', 'HEAD'], { encoding: 'utf8' });
  assert.deepEqual(changed.trim().split('\n'), ['README.md']);
});
