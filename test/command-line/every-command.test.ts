import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usage } from '../../src/command-line/usage-text.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';
import { call } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let github: GitHub;
let folder: string;
/** The run that the first row has left, for those that need one. */
let run = '';
let waiting = '';
beforeAll(async () => {
  local = await startLocal();
  github = await startGitHub();
  folder = await local.checkout({ 'a.txt': 'red\n' });
  local.learn('COMMAND-RUN', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'Painted.' },
  );
  local.learn('COMMAND-ASK', (turn) =>
    turn === 1 ? { calls: [call('ask_user', { question: 'Which?' })] } : { text: 'Thanks.' },
  );
  const anode = (...args: string[]) => local.anode(folder, args);
  run = JSON.parse((await anode('run', '--prompt', 'COMMAND-RUN', '--output', 'json')).stdout).run_id;
  waiting = JSON.parse((await anode('run', '--prompt', 'COMMAND-ASK', '--output', 'json')).stdout).run_id;
  await writeFile(path.join(local.home, 'payload.json'), JSON.stringify({ action: 'deleted' }));
});
afterAll(async () => {
  await github.close();
  await local.close();
});

/** One command with a real input, how it ends, and what it prints. */
interface Row {
  readonly args: () => readonly string[];
  readonly code: number;
  readonly stdout?: unknown;
  readonly stderr?: unknown;
  readonly environment?: () => Readonly<Record<string, string>>;
}

const rows: Readonly<Record<string, Row>> = {
  run: {
    args: () => ['--prompt', 'COMMAND-RUN', '--output', 'json'],
    code: 0,
    stdout: expect.stringContaining('"answer": "Painted."'),
  },
  resume: {
    args: () => [waiting, 'the blue one', '--output', 'json'],
    code: 0,
    stdout: expect.stringContaining('"answer": "Thanks."'),
  },
  review: {
    args: () => ['--base', 'HEAD', '--checks-only', '--format', 'json'],
    code: 0,
    stdout: expect.stringContaining('"findings": []'),
  },
  event: {
    args: () => [
      ...['--name', 'issue_comment', '--payload', path.join(local.home, 'payload.json')],
      ...['--dry-run', '--output', 'json'],
    ],
    environment: () => ({
      GITHUB_API_URL: github.apiUrl,
      GITHUB_TOKEN: github.createToken({ actor: 'ada', permissions: { contents: 'read' } }),
    }),
    code: 0,
    stdout: expect.stringContaining('issue_comment.deleted starts nothing'),
  },
  tools: { args: () => ['use', 'read', '--arg', 'path=a.txt'], code: 0, stdout: '1\tblue\n' },
  policy: {
    args: () => ['check', '--tool', 'bash', '--json', '{"command":"ls"}'],
    code: 0,
    stdout: expect.stringMatching(/^allow\n/),
  },
  report: { args: () => [run], code: 0, stdout: expect.stringMatching(/report\.html\n$/) },
  changes: { args: () => [run], code: 0, stdout: expect.stringContaining('+blue') },
  commit: {
    args: () => [run, '--message', 'Paint'],
    code: 0,
    stdout: expect.stringMatching(/^Committed [0-9a-f]+ Paint\n$/),
    environment: () => ({
      ...{ GIT_AUTHOR_NAME: 'ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
      ...{ GIT_COMMITTER_NAME: 'ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
    }),
  },
  verify: {
    args: () => ['HEAD'],
    code: 1,
    stdout: expect.stringMatching(/^It has no attestation\.\nFetch the attestations first: git fetch /),
  },
  restore: { args: () => [run, '--dry-run'], code: 0, stdout: 'a.txt: would be written back\n' },
  harness: {
    args: () => ['check'],
    code: 0,
    stdout: expect.stringMatching(/^\d+ records?, all as they were written\.\n$/),
  },
  eval: {
    args: () => ['none'],
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('none is no folder that can be read.'),
  },
  doctor: { args: () => ['--output', 'json'], code: 0, stdout: expect.stringMatching(/^\[/) },
  init: {
    args: () => ['--use', 'review', '--dry-run'],
    code: 0,
    stdout: expect.stringContaining('name: anode-review'),
  },
  stats: { args: () => [], code: 0, stdout: 'No run is stored.\n' },
  forget: {
    args: () => ['acme/none'],
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('kept of acme/none in'),
  },
  // Every test of the App starts it whole; by itself it says what it needs.
  serve: { args: () => [], code: 2, stdout: '', stderr: expect.stringContaining('APP_ID') },
};

test.each(Object.entries(rows))('anode %s ends with its documented code and output', async (name, {
  args,
  code,
  stdout,
  stderr,
  environment,
}) => {
  const ended = await local.anode(folder, [name, ...args()], { environment: environment?.() ?? {} });
  expect(ended).toEqual({ code, stdout, stderr: stderr ?? expect.any(String) });
});

test('each command with a usage text has a row', () => {
  const source = readFileSync(path.join(import.meta.dirname, '../../src/cli.ts'), 'utf8');
  const commands = [...source.matchAll(/^ {2}(\w+): (?:brief\()?async \(\) => \(await import/gm)];
  const names = commands.map(([, name]) => name ?? '').toSorted();
  expect(names).toEqual(Object.keys(rows).toSorted());
  expect(
    Object.keys(usage)
      .filter((name) => name !== 'anode')
      .toSorted(),
  ).toEqual(names);
});
