import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const tool = (command) => spawnSync('sh', ['bin/tool.sh', command], { encoding: 'utf8' }).status;

test('it was asked for the name', () => {
  const { questions } = JSON.parse(readFileSync(process.env.EVAL_OUTCOME, 'utf8'));
  assert.ok(questions.length > 0);
});

test('the command has the new name only', () => {
  assert.deepEqual(['deliver', 'status', 'push'].map(tool), [0, 0, 2]);
});

test('the README names it', () => {
  const text = readFileSync('README.md', 'utf8');
  assert.match(text, /`tool\.sh deliver`/);
  assert.doesNotMatch(text, /tool\.sh push/);
});
