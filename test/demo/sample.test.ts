import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { applyEdit, loadSample, type Tree } from '../../demo/sample.ts';

const sample = loadSample();
const pullRequest = { ...sample.base, ...sample.pullRequest.files };

test('the default branch passes its own tests', async () => {
  expect(await runTests(sample.base)).toEqual({ code: 0, passed: 8, failed: [] });
});

test('the pull request fails in exactly the test of its bug', async () => {
  expect(await runTests(pullRequest)).toEqual({
    code: 1,
    passed: 11,
    failed: ['a range inside another does not make it shorter'],
  });
});

test('the fix makes the pull request pass', async () => {
  expect(await runTests(applyEdit(pullRequest, sample.fix))).toEqual({ code: 0, passed: 12, failed: [] });
});

test('the fix is on the line that it names', () => {
  expect(pullRequest[sample.fix.path]?.split('\n')[sample.fix.line - 1]?.trim()).toBe(sample.fix.old);
});

test('the change that the issue requests passes its tests on the default branch', async () => {
  const { files, edits } = sample.issue;
  expect(await runTests(edits.reduce(applyEdit, { ...sample.base, ...files }))).toEqual({
    code: 0,
    passed: 10,
    failed: [],
  });
});

test('an edit that matches nowhere, or twice, is refused', () => {
  expect(() => applyEdit({ a: 'x' }, { path: 'a', old: 'y', new: 'z' })).toThrow('not 0 times');
  expect(() => applyEdit({ a: 'xx' }, { path: 'a', old: 'x', new: 'z' })).toThrow('not 2 times');
});

/** Runs the sample's own test command on a tree, as the agent will, and reads the TAP it prints. */
async function runTests(tree: Tree): Promise<{ code: number; passed: number; failed: string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'anode-sample-'));
  try {
    for (const [name, content] of Object.entries(tree)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
    // Without NODE_*: a test runner inside a test runner would report to its parent instead of printing.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
    const { code, output } = await promisify(execFile)(
      'bash',
      ['-c', `${sample.testCommand} --test-reporter=tap`],
      {
        cwd: folder,
        env,
      },
    ).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
    );
    return {
      code,
      passed: Number(/^# pass (\d+)$/m.exec(output)?.[1]),
      failed: [...output.matchAll(/^not ok \d+ - (.*)$/gm)].flatMap(([, name]) => name ?? []),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
