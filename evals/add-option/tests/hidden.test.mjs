import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import test from 'node:test';

writeFileSync('one.txt', 'a b\nc\n');
writeFileSync('two.txt', 'd');
const words = (...args) => {
  const { status, stdout, stderr } = spawnSync('node', ['lib/cli.js', ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};
const counted = [
  { file: 'one.txt', lines: 2, words: 3 },
  { file: 'two.txt', lines: 0, words: 1 },
];

test('prints the table as before', () => {
  assert.deepEqual(words('one.txt', 'two.txt'), {
    status: 0,
    stdout: '2\t3\tone.txt\n0\t1\ttwo.txt\n',
    stderr: '',
  });
});

test('prints JSON, wherever the option stands', () => {
  for (const args of [
    ['--json', 'one.txt', 'two.txt'],
    ['one.txt', 'two.txt', '--json'],
  ]) {
    const { status, stdout } = words(...args);
    assert.deepEqual([status, JSON.parse(stdout)], [0, counted]);
  }
});

test('refuses an unknown option, and a call without files', () => {
  const { status, stdout, stderr } = words('--jsno', 'one.txt');
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /--jsno/);
  assert.match(words().stderr, /--json/);
  assert.equal(words().status, 2);
});

test('counts the others if a file cannot be read', () => {
  const { status, stdout, stderr } = words('--json', 'missing.txt', 'two.txt');
  assert.deepEqual([status, JSON.parse(stdout)], [1, [counted[1]]]);
  assert.match(stderr, /missing\.txt/);
  assert.equal(words('missing.txt', 'two.txt').stdout, '0\t1\ttwo.txt\n');
});
