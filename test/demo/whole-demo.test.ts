import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

test('the demo of the README plays to its end', { timeout: 600_000 }, async () => {
  // Without a key of a real model, which the demo would use.
  const { PATH, HOME, ANODE_TEST_BUILT } = process.env;
  const env = { PATH, HOME, ANODE_TEST_BUILT };
  const { stdout } = await promisify(execFile)(process.execPath, ['demo/main.ts'], { cwd: root, env }).catch(
    (error: { stdout: string }) => error,
  );
  const missing = stdout.split('\n').filter((line) => line.includes('✗'));
  expect({ missing, isWhole: /^All of this happened, in /m.test(stdout) }).toEqual({
    missing: [],
    isWhole: true,
  });
});
