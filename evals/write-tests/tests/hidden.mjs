import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = 'src/duration.js';
const original = readFileSync(new URL('duration.original.js', import.meta.url), 'utf8');
const fail = (why) => {
  console.error(why);
  process.exit(1);
};
if (!existsSync('test/duration.test.js')) fail('test/duration.test.js is missing');
if (readFileSync(file, 'utf8') !== original) fail(`${file} was changed`);

/** True if the tests pass on this code. */
function passes(code) {
  writeFileSync(file, code);
  // Tests of the run's own tests: without this variable node reports to a parent that is none.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync('node', ['--test', 'test/duration.test.js'], { env }).status === 0;
}

if (!passes(original)) fail('the tests fail on the code as it is');
const faults = [
  ['h: 3600', 'h: 360'],
  ['m: 60', 'm: 6'],
  ['s: 1 ', 's: 2 '],
  ['throw new RangeError', 'throw new TypeError'],
  ['match.slice(1).every((part) => part === undefined)', 'false'],
  ['(?:(\\d+)h)?\\s*(?:(\\d+)m)?', '(?:(\\d+)m)?\\s*(?:(\\d+)h)?'],
  ['/^\\s*(?', '/(?'],
  ['\\s*$/', '/'],
];
const missed = faults.filter(([from, to]) => {
  const faulty = original.replace(from, to);
  if (faulty === original) fail(`no such fault: ${from}`);
  return passes(faulty);
});
if (missed.length > 0)
  fail(`the tests miss ${missed.length} of ${faults.length} faults: ${missed.join(' | ')}`);
