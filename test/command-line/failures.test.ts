import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { call } from '../uses/support/conversation.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let folder: string;
beforeAll(async () => {
  local = await startLocal();
  folder = await local.checkout({ 'a.txt': 'red\n' });
});
afterAll(() => local.close());

describe('a failing model', () => {
  test.concurrent('ends the run with exit code 1 and a message if nothing listens', async () => {
    const { code, stdout } = await local.anode(folder, ['run', '--prompt', 'x', '--output', 'json'], {
      environment: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
    });
    const { conclusion, stop, changes } = JSON.parse(stdout);
    expect({ code, conclusion, stop, changes }).toEqual({
      code: 1,
      conclusion: 'failure',
      stop: {
        kind: 'provider_failed',
        message:
          'The model at 127.0.0.1:1 failed: the connection failed (ECONNREFUSED). Tried 4 times. Check that the endpoint is up and that this machine can reach it.',
      },
      changes: [],
    });
  });

  test.concurrent.for([
    { fault: 'garbage' as const, words: 'what came is not a valid event stream' },
    { fault: 'cut' as const, words: 'the stream ended before the reply was whole' },
    { fault: 'reset-mid-event' as const, words: 'the connection failed (ECONNRESET)' },
  ])('ends the run with exit code 1 and a message if it sends $fault', async ({ fault, words }) => {
    local.learn(`hear ${fault}`, () => ({ fault }));
    const { code, stdout, stderr } = await local.anode(folder, ['run', '--prompt', `hear ${fault}`]);
    const { host } = new URL(local.model.url);
    const waits = [
      ...stderr.matchAll(/^! Waiting for the model at (.*?): (.*)\. (Try \d of \d) begins in /gm),
    ];
    expect({
      code,
      lines: stderr.split('\n').length - 1,
      waits: waits.map(([, asked, why = '', next]) => [asked, why.startsWith(words), next]),
      stopped: /^Stopped: (.*)$/m.exec(stdout)?.[1],
    }).toEqual({
      code: 1,
      lines: 3,
      waits: [2, 3, 4].map((next) => [host, true, `Try ${next} of 4`]),
      stopped: expect.stringContaining(`The model at ${host} failed: ${words}`),
    });
    expect(local.requestsFor(`hear ${fault}`)).toHaveLength(4);
  });

  test.concurrent('loses none of the earlier changes', async () => {
    local.learn('half of it', (turn) =>
      turn === 1
        ? { calls: [call('create_file', { path: 'half.txt', content: 'half\n' })] }
        : {
            status: 400,
            body: { type: 'error', error: { type: 'invalid_request_error', message: 'no more' } },
          },
    );
    const own = await local.checkout({ 'a.txt': 'red\n' });
    const { code, stdout } = await local.anode(own, ['run', '--prompt', 'half of it', '--output', 'json']);
    const { conclusion, stop, changes, run_id } = JSON.parse(stdout);
    expect({ code, conclusion, stop, changes }).toEqual({
      code: 1,
      conclusion: 'failure',
      stop: { kind: 'provider_failed', message: expect.stringContaining('no more') },
      changes: [{ path: 'half.txt', kind: 'add', diff: expect.stringContaining('+half\n') }],
    });
    expect(await readFile(path.join(own, '.anode-harness', run_id, 'changes.patch'), 'utf8')).toBe(
      changes[0].diff,
    );
  });
});

describe('bad usage and configuration end with exit code 2 and one sentence', () => {
  const without = { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
  test.concurrent.for([
    {
      args: ['run', '--prompt', 'x'],
      environment: without,
      words:
        'No model is set and no key was found. Set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY, ZAI_API_KEY, ZAI_CODING_API_KEY; in a workflow the input anthropic_api_key or openai_api_key, whose secret may be empty or not available to this job), or a model as provider/model.',
    },
    {
      args: ['run', '--prompt', 'x', '--model', 'openai/gpt-5'],
      environment: {},
      words: 'The provider openai needs a key: set OPENAI_API_KEY.',
    },
    {
      args: ['run', '--prompt', 'x', '--model', 'nobody/x'],
      environment: {},
      words: 'There is no provider "nobody": known are',
    },
    {
      args: ['run', '--prompt', 'x', '--profile', 'paint'],
      environment: {},
      words: 'There is no profile "paint". Known profiles: craft, quick, study, review, ',
    },
    { args: ['run'], environment: {}, words: 'anode run: --prompt is missing.' },
    { args: ['run', '--prompt', ' '], environment: {}, words: 'anode run: --prompt is missing.' },
    {
      args: ['run', 'paint', 'it'],
      environment: {},
      words: 'anode run: "paint it" stands alone. The task goes behind --prompt, in quotes.',
    },
    {
      args: ['run', '--prompt', 'x', '--colour', 'red'],
      environment: {},
      words: 'anode run: there is no option --colour.',
    },
    {
      args: ['run', '--prompt', 'x', '--output', 'xml'],
      environment: {},
      words: 'anode run: --output takes text, json, stream-json, not "xml".',
    },
    {
      args: ['run', '--prompt', 'x', '--max-turns', '0'],
      environment: {},
      words: 'anode run: --max-turns takes a whole number from 1, not "0".',
    },
    {
      args: ['run', '--prompt', 'x', '--cwd', 'nowhere'],
      environment: {},
      words: 'anode run: --cwd: there is no folder ',
    },
    {
      args: ['run', '--prompt', 'x', '--config', 'none.yml'],
      environment: {},
      words: 'none.yml cannot be read: there is no such file.',
    },
    { args: ['resume', 'run_1', 'yes'], environment: {}, words: 'There is no waiting run run_1 here (' },
    {
      args: ['resume', '../x', 'yes'],
      environment: {},
      words: 'anode resume: "../x" is not the id of a run.',
    },
    { args: ['frobnicate'], environment: {}, words: 'There is no command "frobnicate".' },
    {
      args: ['rnu', '--prompt', 'x'],
      environment: {},
      words: 'There is no command "rnu". Did you mean anode run?',
    },
    {
      args: ['--versoin'],
      environment: {},
      words: 'There is no command "--versoin". Did you mean anode --version?',
    },
    {
      args: ['help', 'toosl'],
      environment: {},
      words: 'There is no command "toosl". Did you mean anode tools?',
    },
    {
      args: ['run', '--promt', 'x'],
      environment: {},
      words: 'anode run: there is no option --promt. Did you mean --prompt?',
    },
    {
      args: ['run', '--prompt'],
      environment: {},
      words: 'anode run: --prompt needs a value behind it.',
    },
    {
      args: ['run', '--prompt', '--model', 'a/b'],
      environment: {},
      words: 'anode run: --prompt needs a value behind it.',
    },
    {
      args: ['run', '--prompt', '-x'],
      environment: {},
      words:
        'anode run: --prompt needs a value behind it. For one that begins with a dash write --prompt=-x.',
    },
    {
      args: ['restore', 'run_1', '--force=no'],
      environment: {},
      words: 'anode restore: --force takes no value, not "no".',
    },
    {
      args: ['tools', 'lsit'],
      environment: {},
      words: 'anode tools: there is no "lsit": it takes list, show or use. Did you mean list?',
    },
    {
      args: ['run', '--prompt', 'x', '--preset', 'carefull'],
      environment: {},
      words:
        'anode run: there is no preset "carefull": it is strict, careful or unrestricted; the nearest is careful.',
    },
    {
      args: ['policy', 'explain', '--preset', 'lax'],
      environment: {},
      words: 'anode policy: there is no preset "lax": it is strict, careful or unrestricted.',
    },
    {
      args: ['doctor', 'now'],
      environment: {},
      words: 'anode doctor: it takes no "now".',
    },
    {
      args: ['run', '--prompt', 'x', '--cwd', 'a.txt'],
      environment: {},
      words: 'a.txt is a file and no folder.',
    },
    {
      args: ['run', '--prompt', 'x', '--config', '/'],
      environment: {},
      words: '/ cannot be read: it is a folder.',
    },
    { args: ['event', '--name', 'push'], environment: {}, words: 'anode event: --payload is missing.' },
    {
      args: ['serve'],
      environment: {},
      words: "APP_ID is not set. Set it to the number on the App's settings page.",
    },
  ])('anode $args: $words', async ({ args, environment, words }) => {
    const { code, stdout, stderr } = await local.anode(folder, args, { environment });
    const [said, ...others] = stderr.trimEnd().split('\n');
    expect({ code, stdout, said, others: others.filter((line) => !/^Help: anode help/.test(line)) }).toEqual({
      code: 2,
      stdout: '',
      said: expect.stringContaining(words),
      others: [],
    });
  });

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8'));
    expect(await local.anode(folder, ['--version'])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  test('an unknown preset is reported with its position and the nearest name', async () => {
    const file = path.join(folder, '.git', 'preset.yml');
    await writeFile(file, 'permissions:\n  preset: carefull\n');
    const result = await local.anode(folder, ['run', '--prompt', 'x', '--config', file]);
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: `${file}:2:11: permissions.preset: there is no preset "carefull": it is strict, careful or unrestricted; the nearest is careful.\n`,
    });
  });

  test('an unknown key is reported with its file and the nearest key', async () => {
    const file = path.join(folder, '.git', 'anode-test.yml');
    await writeFile(file, 'permissions:\n  presets: strict\n');
    const result = await local.anode(folder, ['run', '--prompt', 'x', '--config', file]);
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: `${file}:2:3: unknown key permissions.presets. Did you mean permissions.preset?\n`,
    });
  });
});

test('Ctrl-C ends a run as cancelled, with its record and without remaining processes', async () => {
  local.learn('wait for ever', () => ({
    calls: [call('bash', { command: 'sleep 98761', timeout_ms: 900_000 })],
  }));
  const own = await local.checkout({ 'a.txt': 'red\n' });
  const started = local.start(own, ['run', '--prompt', 'wait for ever', '--output', 'stream-json']);
  if (started.child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: started.child.stdout })) {
    if (JSON.parse(line).type === 'tool.call') break;
  }
  await vi.waitUntil(async () => (await processesWith('98761')).length > 0, {
    timeout: 120_000,
    interval: 50,
  });
  started.child.kill('SIGINT');
  const { code, stdout } = await started.ended;
  expect({ code, last: JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}') }).toEqual({
    code: 1,
    last: expect.objectContaining({
      type: 'run.finished',
      conclusion: 'cancelled',
      answer: '',
      stop: { kind: 'cancelled', message: 'The run was cancelled.' },
      turns: 1,
      usage: expect.anything(),
      cost_usd: expect.any(Number),
      duration_ms: expect.any(Number),
    }),
  });
  expect(await processesWith('98761')).toEqual([]);
  const entries = await readdir(path.join(own, '.anode-harness'));
  const record = entries.find((name) => name.startsWith('run_')) ?? '';
  const lines = await readFile(path.join(own, '.anode-harness', record, 'ledger.jsonl'), 'utf8');
  expect(JSON.parse(lines.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    entry: { type: 'run.finished', conclusion: 'cancelled' },
  });
});

/** The command lines of processes that hold a word. */
async function processesWith(word: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.replaceAll('\0', ' ')).filter((line) => line.includes(word));
}
