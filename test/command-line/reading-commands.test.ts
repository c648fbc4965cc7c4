import { existsSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { call } from '../uses/support/conversation.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

const preload = pathToFileURL(path.join(projectRoot, 'test/support/count-processes.ts')).href;

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

/** Has these commands run in turn, and gives the report with the git commands of the run. */
async function run(words: string, checkout: string, commands: readonly string[], sandbox: string) {
  local.learn(words, (turn) => {
    const command = commands[turn - 1];
    return command === undefined ? { text: 'Done.' } : { calls: [call('bash', { command })] };
  });
  const file = `${checkout}.started`;
  const options = ['--prompt', words, '--sandbox', sandbox, '--max-turns', '20', '--output', 'json'];
  const environment = { NODE_OPTIONS: `--import=${preload}`, STARTED_FILE: file };
  const { code, stdout } = await local.anode(checkout, ['run', ...options], { environment });
  const started: string[][] = JSON.parse(await readFile(file, 'utf8'));
  // A shell that sets its limits starts git.
  const git = started.flatMap((words) => (words.includes('git') ? [words[words.indexOf('git') + 1]] : []));
  return { code, git, report: JSON.parse(stdout) };
}

const ten = Array.from({ length: 10 }, (_, index) => `head -n ${index + 1} a.txt`);

test.for([
  'off',
  ...(available ? ['required'] : []),
])('ten reading commands start git three times, with the sandbox %s', async (sandbox) => {
  const checkout = await local.checkout({ 'a.txt': 'red\n' });
  const { code, git } = await run(`read, ${sandbox}`, checkout, ten, sandbox);
  // Status for the prompt; list and tree of the start, in one process; list of the end.
  expect({ code, git }).toEqual({ code: 0, git: ['status', 'ls-files', 'ls-files'] });
});

test('hidden changes of a reading command are found before the next change and at the end', async () => {
  const hook =
    '#!/bin/sh\nmkdir -p .github/workflows\necho x >>.github/workflows/ci.yml\necho x >>"made-$(ls | wc -l)"\n';
  const checkout = await local.checkout({ 'a.txt': 'red\n', 'hook.sh': hook });
  await chmod(path.join(checkout, 'hook.sh'), 0o755);
  await local.git(checkout, 'config', 'diff.external', './hook.sh');
  const commands = ['git diff', 'head a.txt', 'printf blue >b.txt', 'git diff', 'head a.txt'];
  const { code, report } = await run('read and write', checkout, commands, 'off');
  const named = (list: { path?: string; what?: string }[]) => list.map((one) => one.path ?? one.what);
  const protectedFile = '.github/workflows/ci.yml';
  expect({
    code,
    changed: named(report.changes),
    refused: named(report.refusals),
    left: existsSync(path.join(checkout, protectedFile)),
  }).toEqual({
    ...{ code: 0, left: false },
    changed: ['b.txt', 'made-2', 'made-4'],
    refused: [protectedFile, protectedFile],
  });
});
