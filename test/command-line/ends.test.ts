import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliProgram } from '../support/program-files.ts';
import { call } from '../uses/support/conversation.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

const anyUsage = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

describe('a run with a refused key or an unknown model', () => {
  test.for([
    [401, 'authentication_error', 'did not accept the key in ANTHROPIC_API_KEY'],
    [404, 'not_found_error', 'knows no model claude-sonnet-4-6, or has no such endpoint'],
  ] as const)('ends stream-json and json like any other run: %i', async ([status, type, words]) => {
    local.learn(`meet ${status}`, () => ({
      status,
      body: { type: 'error', error: { type, message: 'no' } },
    }));
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    const run = (output: string) =>
      local.anode(folder, ['run', '--prompt', `meet ${status}`, '--output', output]);
    const [stream, json] = [await run('stream-json'), await run('json')];
    const stop = { kind: 'provider_failed', message: expect.stringContaining(words) };
    expect({ code: stream.code, stderr: stream.stderr, last: lastLine(stream.stdout) }).toEqual({
      code: 1,
      stderr: '',
      last: expect.objectContaining({
        ...{ type: 'run.finished', conclusion: 'failure', answer: '', stop, turns: 1 },
        ...{ usage: anyUsage, cost_usd: 0, duration_ms: expect.any(Number) },
        ...{ changes: [], record: expect.stringContaining('.anode-harness') },
      }),
    });
    expect({ code: json.code, stderr: json.stderr, report: JSON.parse(json.stdout) }).toEqual({
      code: 1,
      stderr: '',
      report: expect.objectContaining({ conclusion: 'failure', stop, changes: [] }),
    });
  });
});

describe('if the reader of standard output closes', () => {
  test('a run ends with 141 and no message, and its record has its changes', async () => {
    local.learn('go on and on', (turn) => ({
      calls: [call('create_file', { path: `${turn}.txt`, content: `${turn}\n` })],
    }));
    const folder = await local.checkout({ 'a.txt': 'red\n' });
    const { stdout, stderr } = await piped(
      folder,
      'run --prompt "go on and on" --output stream-json --max-turns 200',
      'grep -m 1 tool.result',
    );
    const [line, code, ...others] = stdout.trimEnd().split('\n');
    expect({ type: JSON.parse(line ?? '').type, code, others, stderr }).toEqual({
      ...{ type: 'tool.result', code: '141', others: [], stderr: '' },
    });
    const entries = await readdir(path.join(folder, '.anode-harness'));
    const record = entries.find((name) => name.startsWith('run_')) ?? '';
    const outcome = await readFile(path.join(folder, '.anode-harness', record, 'outcome.json'), 'utf8');
    const { conclusion, stop, changes } = JSON.parse(outcome);
    expect({ conclusion, stop, first: changes.files[0].path }).toEqual({
      conclusion: 'cancelled',
      stop: {
        kind: 'cancelled',
        message: 'The run was cancelled: nobody reads standard output any more.',
      },
      first: '1.txt',
    });
  });

  test('a list ends with 141 and no message', async () => {
    const folder = await local.plainFolder({});
    expect(await piped(folder, 'tools show bash', 'true')).toEqual({ stdout: '141\n', stderr: '' });
  });
});

test('a record without a run cannot be reported, which one line says', async () => {
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const used = await local.anode(folder, [
    ...['tools', 'use', 'create_file', '--arg', 'path=b.txt', '--arg', 'content=b', '--allow-non-read'],
  ]);
  const [, runId = ''] = /anode restore (run_\w+)/.exec(used.stderr) ?? [];
  const { code, stdout, stderr } = await local.anode(folder, ['report', runId]);
  expect({ code, stdout, stderr: stderr.replace(/^\/\S+\//, '') }).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'ledger.jsonl has no run to report: it is of a call by hand, or of a run that broke before it began.\n',
  });
});

test('a report that cannot be written gives one line', async () => {
  local.learn('say hello', () => ({ text: 'Hello.' }));
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { stdout } = await local.anode(folder, ['run', '--prompt', 'say hello', '--output', 'json']);
  const { run_id } = JSON.parse(stdout);
  expect(await local.anode(folder, ['report', run_id, '--output', '/dev/null/x.html'])).toEqual({
    code: 2,
    stdout: '',
    stderr: '/dev/null/x.html cannot be written: a part of its path is no folder.\n',
  });
});

/** `anode … | reader` in a shell, and then the exit code of the first on a line of its own. */
function piped(folder: string, args: string, reader: string) {
  const program = `"${process.execPath}" "${path.join(projectRoot, cliProgram)}"`;
  return promisify(execFile)('bash', ['-c', `${program} ${args} | ${reader}; echo \${PIPESTATUS[0]}`], {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, HOME: local.home },
      ...{ ANTHROPIC_BASE_URL: local.model.url, ANTHROPIC_API_KEY: localKey },
    },
  });
}

function lastLine(text: string): unknown {
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
}
