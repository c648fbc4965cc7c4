import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const text = readFileSync('CHANGELOG.md', 'utf8');
const [, entry = ''] = /^# Changelog\n\n## 1\.2\.0[^\n]*\n([\s\S]*?)\n## 1\.1\.0\n/.exec(text) ?? [];

test('the entry stands at the top, with what users see', () => {
  const lines = entry.split('\n').filter((line) => line.trim() !== '');
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => line.startsWith('- ')));
  assert.match(entry, /export/);
  assert.match(entry, /list/);
  assert.doesNotMatch(entry, /parser|moved|example\.com/i);
});

test('the older entries are as they were', () => {
  assert.match(
    text,
    /\n## 1\.1\.0\n\n- Adds the command `list`\.\n[\s\S]*\n## 1\.0\.0\n\n- The first version\.\n$/,
  );
});

test('nothing else was changed', () => {
  const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
    encoding: 'utf8',
  });
  const changed = status
    .split('\n')
    .filter((line) => line !== '' && !/ (?:hidden\.test\.mjs|\.anode-eval\/.*)$/.test(line));
  assert.deepEqual(changed, [' M CHANGELOG.md']);
});
