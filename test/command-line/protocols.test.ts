import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allTextOf, call, lastResults } from '../uses/support/conversation.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

let local: Local;
let config: string;
beforeAll(async () => {
  local = await startLocal();
  config = path.join(local.home, 'text.json');
  const provider = { type: 'openai-compatible', baseUrl: `${local.model.url}/v1`, nativeTools: false };
  const text = { model: 'small/tiny', providers: { small: { ...provider, apiKey: '{env:SMALL_KEY}' } } };
  await writeFile(config, JSON.stringify(text));
});
afterAll(() => local.close());

const asText = (folder: string, prompt: string) =>
  local.anode(folder, ['run', '--config', config, '--prompt', prompt, '--output', 'json'], {
    environment: { SMALL_KEY: localKey },
  });

test('a model without tool calls works with the text protocol', async () => {
  local.learn('by words alone', (turn) => {
    if (turn === 1) return { text: 'I look.\nBASH: cat a.txt' };
    if (turn === 2)
      return { text: 'TOOL: {"name": "create_file", "args": {"path": "b.txt", "content": "blue\\n"}}' };
    return { text: 'ANSWER: Made b.txt.' };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout, stderr } = await asText(folder, 'by words alone');
  const { conclusion, answer, changes, refusals } = JSON.parse(stdout);
  expect({ code, stderr, conclusion, answer, changes, refusals }).toEqual({
    code: 0,
    stderr: '',
    conclusion: 'success',
    answer: 'Made b.txt.',
    changes: [{ path: 'b.txt', kind: 'add', diff: expect.stringContaining('+blue\n') }],
    refusals: [],
  });
  const requests = local.requestsFor('by words alone');
  expect(requests.map(({ api, tools }) => ({ api, tools }))).toEqual([
    { api: 'chat', tools: [] },
    { api: 'chat', tools: [] },
    { api: 'chat', tools: [] },
  ]);
  expect(requests[0]?.system).toMatch(/ANSWER:[\s\S]*BASH:[\s\S]*TOOL:[\s\S]*PATCH:/);
  expect(requests.slice(1).map(lastResults)).toEqual(['RESULT:\nred', 'RESULT:\nCreated b.txt (1 line).']);
});

test('a PATCH is not applied but becomes an approval, and the run continues', async () => {
  const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-red\n+blue\n';
  local.learn('by a patch', (turn) =>
    turn === 1 ? { text: `PATCH:\n${patch}` } : { text: 'ANSWER: I propose blue.' },
  );
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout } = await asText(folder, 'by a patch');
  const { conclusion, answer, changes, refusals, approvals } = JSON.parse(stdout);
  expect({ code, conclusion, answer, changes, refusals, approvals }).toEqual({
    code: 0,
    conclusion: 'success',
    answer: 'I propose blue.',
    changes: [],
    refusals: [],
    approvals: [
      {
        tool: 'PATCH',
        what: 'a.txt',
        reason: 'A PATCH is only applied by a person.',
        hash: expect.stringMatching(/^[0-9a-f]{16}$/),
        diff: 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-red\n+blue\n',
        call_id: expect.any(String),
      },
    ],
  });
  expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).toBe('red\n');
  expect(local.requestsFor('by a patch').slice(1).map(lastResults)).toEqual([
    expect.stringContaining('RESULT'),
  ]);
});

test('code_review is a read-only child run whose findings are those of the run', async () => {
  const finding = {
    path: 'a.txt',
    line: 1,
    severity: 'high',
    category: 'correctness',
    title: 'Red is wrong',
    body: 'It has to be blue.',
  };
  local.learn('have it reviewed', (turn) =>
    turn === 1
      ? { calls: [call('code_review', { diff_description: 'CHILD paints a.txt red', files: ['a.txt'] })] }
      : { text: 'Reviewed.' },
  );
  const childTools: string[][] = [];
  local.learn('CHILD paints', (turn, request) => {
    childTools.push(request.tools.map(({ name }) => name));
    if (turn === 1)
      return { calls: [call('read', { path: 'a.txt' }), call('bash', { command: 'touch b.txt' })] };
    if (turn === 2) return { calls: [call('report_findings', { findings: [finding] })] };
    return { text: 'One finding.' };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout } = await local.anode(folder, [
    ...['run', '--prompt', 'have it reviewed', '--output', 'stream-json'],
  ]);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const child = events.filter(({ type }) => /^child_run\.(?:started|result)$/.test(type));
  expect({ code, child }).toEqual({
    code: 0,
    child: [
      {
        type: 'child_run.started',
        child_run_id: expect.stringMatching(/^child_/),
        title: 'Code review',
        profile: 'review',
      },
      {
        type: 'child_run.result',
        child_run_id: child[0].child_run_id,
        conclusion: 'success',
        summary: 'One finding.',
        turns: 3,
        usage: expect.anything(),
        cost_usd: expect.any(Number),
      },
    ],
  });
  const readOnly = [
    'code_search',
    'finder',
    'glob',
    'grep',
    'multi_read',
    'read',
    'report_findings',
    'todo_write',
    'tool_search',
    'use_tool',
  ];
  expect(childTools.map((names) => names.toSorted())).toEqual([readOnly, readOnly, readOnly]);
  expect(await local.git(folder, 'status', '--porcelain')).toBe('');
  const again = await local.anode(folder, ['run', '--prompt', 'have it reviewed', '--output', 'json']);
  expect(JSON.parse(again.stdout).findings).toEqual([{ ...finding, side: 'RIGHT' }]);
});

test('no tool can read a token, a key or another process', async () => {
  let seen = '';
  local.learn('spy', (turn, request) => {
    if (turn > 1) {
      seen = allTextOf(request);
      return { text: `I found ${localKey} and canary-token-of-github.` };
    }
    const commands = [
      'env',
      'cat /proc/self/environ /proc/1/environ /proc/*/environ 2>&1 | tr "\\\\0" "\\\\n"',
      'cat .git/config; git config --list --show-origin',
      'cat ~/.netrc ~/.config/anode/config.json ~/.ssh/id_rsa; ls -la ~',
      'cat /proc/*/cmdline | tr "\\\\0" " "',
      'set; export -p; echo "$ANTHROPIC_API_KEY $GITHUB_TOKEN $AWS_SECRET_ACCESS_KEY"',
    ];
    return { calls: commands.map((command) => call('bash', { command })) };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  await local.git(folder, 'config', 'http.extraheader', 'Authorization: canary-of-the-git-config');
  await writeFile(path.join(local.home, '.netrc'), 'machine github.com password canary-of-the-netrc\n');
  const { code, stdout, stderr } = await local.anode(
    folder,
    [
      ...[
        'run',
        '--prompt',
        'spy',
        '--preset',
        'unrestricted',
        '--sandbox',
        'required',
        '--output',
        'stream-json',
      ],
    ],
    { environment: { GITHUB_TOKEN: 'canary-token-of-github', AWS_SECRET_ACCESS_KEY: 'canary-of-the-cloud' } },
  );
  expect(code).toBe(0);
  expect(seen).toContain('PATH=');
  expect(seen.match(/canary[\w-]*/g)).toEqual(null);
  const record = JSON.parse(stdout.split('\n')[0] ?? '').run_id;
  const ledger = await readFile(path.join(folder, '.anode-harness', record, 'ledger.jsonl'), 'utf8');
  const outcome = await readFile(path.join(folder, '.anode-harness', record, 'outcome.json'), 'utf8');
  // Pieces of text are passed on as they come, before it is known what they will add up to.
  const events = stdout
    .split('\n')
    .filter((line) => !line.includes('"text.delta"'))
    .join('\n');
  expect([events, stderr, ledger, outcome].map((text) => text.match(/canary[\w-]*/g))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
