import { appendFile, chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

const identity = {
  ...{ GIT_AUTHOR_NAME: 'ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
  ...{ GIT_COMMITTER_NAME: 'ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
};

let local: Local;
beforeAll(async () => {
  local = await startLocal();
  local.learn('Greet politely', (turn) => {
    if (turn === 1) return { calls: [call('edit_file', { path: 'a.txt', old_str: 'old', new_str: 'new' })] };
    if (turn === 2) return { calls: [call('create_file', { path: 'sub/[b].txt', content: 'b\n' })] };
    return { text: 'Done.' };
  });
});
afterAll(() => local.close());

/** A checkout in which a run edited `a.txt` and added a file whose name reads like a pattern. */
async function changedCheckout() {
  const folder = await local.checkout({ 'a.txt': 'old\n', 'own.txt': 'mine\n', 'sub/b.txt': 'not b\n' });
  const ran = await local.anode(folder, ['run', '--prompt', 'Greet politely', '--output', 'json']);
  const runId = String(JSON.parse(ran.stdout).run_id);
  const anode = (...args: string[]) => local.anode(folder, args, { environment: identity });
  return { folder, runId, anode };
}

test('prints each change of a run with its risk, its call and its diff', async () => {
  const { runId, anode } = await changedCheckout();
  const { code, stdout } = await anode('changes', runId);
  expect([code, stdout.replaceAll(/[0-9a-f]{12}/g, 'HASH').replaceAll(/\(\S+\)/g, '(ID)')]).toEqual([
    0,
    expect.stringMatching(
      /^modify a\.txt: HASH to HASH, risk low, unchecked, by edit_file \(ID\)\n[\s\S]*\n-old\n\+new\n\nadd sub\/\[b\]\.txt: absent to HASH, [\s\S]*\n\+b\n$/,
    ),
  ]);
  const json = JSON.parse((await anode('changes', runId, '--json')).stdout);
  expect(json.map((change: { path: string }) => change.path)).toEqual(['a.txt', 'sub/[b].txt']);
});

test('commits the files of the run and nothing else, and names the run', async () => {
  const { folder, runId, anode } = await changedCheckout();
  await writeFile(path.join(folder, 'own.txt'), 'changed\n');
  await writeFile(path.join(folder, 'sub/b.txt'), 'changed\n');
  await local.git(folder, 'add', 'own.txt');
  const { code, stdout } = await anode('commit', runId);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Committed [0-9a-f]+ Greet politely\n$/)]);
  const shown = await local.git(folder, 'show', '--name-only', '--format=%an%n%B', 'HEAD');
  expect(shown).toBe(`ada\nGreet politely\n\nAnode-Run: ${runId}\n\n\na.txt\nsub/[b].txt\n`);
  expect(await local.git(folder, 'status', '--short')).toBe('M  own.txt\n M sub/b.txt\n');
});

test('commits nothing where a file changed after the run, until --force is given', async () => {
  const { folder, runId, anode } = await changedCheckout();
  await appendFile(path.join(folder, 'a.txt'), 'more\n');
  const refused = await anode('commit', runId);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'Nothing was committed, since these files changed after the run:\n  a.txt\nLook at them, then add --force.\n',
  ]);
  const forced = await anode('commit', runId, '--force', '--message', 'Greet');
  expect([forced.code, await local.git(folder, 'show', 'HEAD:a.txt')]).toEqual([0, 'new\nmore\n']);
});

test('commits nothing a second time, and says so', async () => {
  const { runId, anode } = await changedCheckout();
  await anode('commit', runId);
  expect(await anode('commit', runId)).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'Nothing was committed: HEAD has these files as the run left them.\n',
  });
});

test('names the command for a run where another is used or a path is wrong', async () => {
  const { folder, runId, anode } = await changedCheckout();
  const answers = [await anode('verify', runId), await anode('restore', runId, 'a.tx')];
  expect(answers.map(({ code, stderr }) => [code, stderr.split('\n')[0]])).toEqual([
    [
      2,
      `anode verify: ${runId} is no file, and no commit of ${folder}. It is a run: anode harness verify ${runId}`,
    ],
    [2, `anode restore: the run changed nothing at a.tx: see anode changes ${runId}.`],
  ]);
});

test('shows the words of a hook that refuses the commit', async () => {
  const { folder, runId, anode } = await changedCheckout();
  const hook = path.join(folder, '.git/hooks/pre-commit');
  await writeFile(hook, '#!/bin/sh\necho "not on Fridays" >&2\nexit 1\n');
  await chmod(hook, 0o755);
  const { code, stderr } = await anode('commit', runId);
  expect([code, stderr]).toEqual([1, 'git commit failed:\nnot on Fridays\n\n']);
});

test('says that a run left no change', async () => {
  local.learn('Only look', () => ({ text: 'Looked.' }));
  const folder = await local.checkout({ 'a.txt': 'old\n' });
  const ran = await local.anode(folder, ['run', '--prompt', 'Only look', '--output', 'json']);
  const runId = String(JSON.parse(ran.stdout).run_id);
  const ends = [await local.anode(folder, ['changes', runId]), await local.anode(folder, ['commit', runId])];
  expect(ends.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, 'The run changed no file.\n'],
    [1, 'The run left no change.\n'],
  ]);
});
