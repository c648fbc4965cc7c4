import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, lastResults } from '../uses/support/conversation.ts';
import { type Local, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

/** The diff of a one-line file; blob names as git makes them. */
const painted = [
  'diff --git a/a.txt b/a.txt',
  'index a9d1386a1d99728de010ad4044fb984886b57f33..24560d9b8c9e940ee4b193aa7268f9164080def4 100644',
  '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-red\n+blue\n',
].join('\n');
const paintedChange = { path: 'a.txt', kind: 'modify', diff: painted };

const parse = (text: string): Record<string, unknown> => JSON.parse(text);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const editing = (turn: number) =>
  turn === 1
    ? { calls: [call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' })] }
    : { text: 'It is blue.' };

test('json output is one object with the changes, and the exit code is 0', async () => {
  local.learn('paint it', editing);
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout, stderr } = await local.anode(folder, [
    'run',
    '--prompt',
    'paint it',
    '--output',
    'json',
  ]);
  expect({ code, stderr, report: parse(stdout) }).toEqual({
    code: 0,
    stderr: '',
    report: {
      conclusion: 'success',
      answer: 'It is blue.',
      stop: null,
      run_id: expect.stringMatching(/^run_\w+$/),
      session_id: expect.stringMatching(/^sess_\w+$/),
      turns: 2,
      usage: { input: expect.any(Number), output: expect.any(Number), cache_read: 0, cache_write: 0 },
      cost_usd: expect.any(Number),
      changes: [paintedChange],
      findings: [],
      refusals: [],
      question: null,
      approvals: [],
      handoffs: [],
      record: expect.stringMatching(/\.anode-harness\/run_\w+$/),
    },
  });
  expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).toBe('blue\n');
  expect(await local.git(folder, 'status', '--porcelain')).toBe(' M a.txt\n');
});

test('stream-json output is one event per line, from run.started to run.finished', async () => {
  local.learn('stream it', editing);
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout } = await local.anode(folder, [
    'run',
    '--prompt',
    'stream it',
    '--output',
    'stream-json',
  ]);
  const events = stdout.trimEnd().split('\n').map(parse);
  expect(code).toBe(0);
  const anyUsage = { input: expect.any(Number), output: expect.any(Number), cache_read: 0, cache_write: 0 };
  const usage = (turn: number) => ({ type: 'usage', turn, usage: anyUsage, cost_usd: expect.any(Number) });
  const call_id = expect.any(String);
  expect(events).toEqual([
    {
      type: 'run.started',
      run_id: expect.stringMatching(/^run_/),
      session_id: expect.stringMatching(/^sess_/),
      parent_run_id: null,
      model: 'anthropic/claude-sonnet-4-6',
      profile: 'craft',
      preset: 'careful',
      sandbox: expect.stringMatching(/^(on|off)$/),
      prompt: 'stream it',
      max_turns: 20,
      base_sha: (await local.git(folder, 'rev-parse', 'HEAD')).trim(),
    },
    { type: 'turn.started', turn: 1 },
    usage(1),
    {
      type: 'tool.call',
      call_id,
      tool: 'edit_file',
      what: 'a.txt',
      input: { path: 'a.txt', old_str: 'red', new_str: 'blue' },
      decision: {
        action: 'allow',
        level: 'confirm_write',
        reason: expect.any(String),
        rule: null,
        hard: false,
        commands: [],
      },
    },
    {
      type: 'change',
      change: {
        path: 'a.txt',
        kind: 'modify',
        before: hashOf('red\n'),
        after: hashOf('blue\n'),
        before_mode: '100644',
        after_mode: '100644',
        diff: 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-red\n+blue\n',
        risk: 'low',
        validation: 'unchecked',
        tool: 'edit_file',
        call_id,
      },
    },
    {
      type: 'tool.result',
      call_id,
      tool: 'edit_file',
      ok: true,
      content: expect.stringContaining('a.txt'),
      data: expect.anything(),
      error_kind: null,
      spill: null,
      duration_ms: expect.any(Number),
    },
    { type: 'turn.started', turn: 2 },
    // Held back in case a secret goes on in the next piece.
    { type: 'text.delta', text: 'It is blue.' },
    usage(2),
    {
      type: 'run.finished',
      conclusion: 'success',
      answer: 'It is blue.',
      stop: null,
      turns: 2,
      usage: anyUsage,
      cost_usd: expect.any(Number),
      duration_ms: expect.any(Number),
      run_id: expect.stringMatching(/^run_\w+$/),
      session_id: expect.stringMatching(/^sess_\w+$/),
      changes: [paintedChange],
      ...{ findings: [], refusals: [], question: null, approvals: [], handoffs: [] },
      record: expect.stringMatching(/\.anode-harness\/run_\w+$/),
    },
  ]);
});

test('text output has tools on standard error and the answer on standard output', async () => {
  local.learn('say it', editing);
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout, stderr } = await local.anode(folder, ['run', '--prompt', 'say it']);
  const record = /^record: (.*)$/m.exec(stdout)?.[1] ?? '';
  expect({ code, stderr, stdout: stdout.replace(/, \d+ tokens, .*\nrecord: .*\n$/, '') }).toEqual({
    code: 0,
    stderr: '· edit_file a.txt\n',
    stdout: '\nIt is blue.\n\nmodify a.txt\n\nsuccess: 2 turns, 1 tool call',
  });
  expect((await readdir(record)).sort()).toEqual([
    ...['before', 'changes.patch', 'ledger.head.json', 'ledger.jsonl', 'outcome.json', 'spill'],
    'trace.jsonl',
  ]);
});

test('strict refuses everything but reading, and reports it to model and result', async () => {
  let told = '';
  local.learn('try it', (turn, request) => {
    if (turn === 2) told = lastResults(request);
    return turn === 1
      ? {
          calls: [
            call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' }),
            call('bash', { command: 'echo hello > b.txt' }),
            call('read', { path: 'a.txt' }),
          ],
        }
      : { text: 'I could only read.' };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout } = await local.anode(folder, [
    ...['run', '--prompt', 'try it', '--preset', 'strict', '--output', 'json'],
  ]);
  const { conclusion, refusals, changes } = parse(stdout);
  const agree = "the preset strict requires a person's approval. A rule can allow it.";
  expect({ code, conclusion, refusals, changes }).toEqual({
    code: 0,
    conclusion: 'success',
    refusals: [
      {
        tool: 'edit_file',
        what: 'a.txt',
        reason: `\`a.txt\` would be changed; ${agree}`,
        call_id: expect.any(String),
      },
      {
        tool: 'bash',
        what: 'echo hello > b.txt',
        reason: expect.stringContaining(agree),
        call_id: expect.any(String),
      },
    ],
    changes: [],
  });
  expect(told.match(/the preset strict requires|^\s*1\s.*red/gm)).toHaveLength(3);
});

test('unrestricted runs any command in the workspace', async () => {
  local.learn('just do it', (turn) =>
    turn === 1 ? { calls: [call('bash', { command: 'rm a.txt && echo new > b.txt' })] } : { text: 'Done.' },
  );
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout } = await local.anode(folder, [
    ...['run', '--prompt', 'just do it', '--preset', 'yolo', '--output', 'json'],
  ]);
  const { changes, refusals } = parse(stdout);
  expect({ code, changes, refusals }).toEqual({
    code: 0,
    changes: [
      { path: 'a.txt', kind: 'delete', diff: expect.stringContaining('deleted file mode 100644') },
      { path: 'b.txt', kind: 'add', diff: expect.stringContaining('+new\n') },
    ],
    refusals: [],
  });
});

const sameFolder =
  'The checkout is the same folder: your earlier changes are in it, unless somebody changed them since.';

test('a question ends with exit code 4, and resume continues the conversation', async () => {
  local.learn('which one', (turn, request) => {
    if (turn === 1) return { calls: [call('create_file', { path: 'draft.txt', content: 'half\n' })] };
    if (turn === 2)
      return { calls: [call('ask_user', { question: 'Red or blue?', options: ['Red', 'Blue'] })] };
    return { text: `You said: ${lastResults(request)}` };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const first = await local.anode(folder, ['run', '--prompt', 'which one', '--output', 'json']);
  const asked = parse(first.stdout);
  expect({
    code: first.code,
    conclusion: asked.conclusion,
    question: asked.question,
    stop: asked.stop,
  }).toEqual({
    code: 4,
    conclusion: 'waiting',
    question: {
      question: 'Red or blue?',
      options: [
        { id: 'red', label: 'Red' },
        { id: 'blue', label: 'Blue' },
      ],
      allow_freeform: false,
      required: false,
      questions: [],
    },
    stop: { kind: 'waiting', message: 'Waiting for an answer: Red or blue?' },
  });
  const { go_on, ...waiting } = asked;
  expect(go_on).toBe(`anode resume ${asked.run_id} "<answer, or the name of an option>" --cwd ${folder}`);
  const again = await local.anode(folder, ['resume', String(asked.run_id), 'blue', '--output', 'json']);
  const answered = parse(again.stdout);
  expect({ code: again.code, stderr: again.stderr, answered }).toEqual({
    code: 0,
    stderr: '',
    answered: {
      ...waiting,
      conclusion: 'success',
      record: path.join(folder, '.anode-harness', String(answered.run_id)),
      answer: `You said: The user chose: blue (Blue)\n${sameFolder}`,
      stop: null,
      run_id: expect.stringMatching(/^run_/),
      turns: 3,
      usage: expect.anything(),
      cost_usd: expect.any(Number),
      // What the waiting run had changed is told again, as one with the rest.
      changes: asked.changes,
      question: null,
    },
  });
  expect(answered.run_id).not.toBe(asked.run_id);
  const [, second, third] = local.requestsFor('which one');
  expect(third?.messages.slice(0, second?.messages.length)).toEqual(second?.messages);
  expect(third?.messages.at(-1)).toEqual({
    role: 'user',
    parts: [
      {
        type: 'tool_result',
        call_id: expect.any(String),
        content: [{ type: 'text', text: 'The user chose: blue (Blue)' }],
        is_error: false,
      },
      { type: 'text', text: sameFolder },
    ],
  });
});

test('a limit ends with exit code 3 and the work so far', async () => {
  local.learn('never ends', () => ({ text: 'Working.', calls: [call('read', { path: 'a.txt' })] }));
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const { code, stdout } = await local.anode(folder, [
    ...['run', '--prompt', 'never ends', '--max-turns', '2', '--output', 'json'],
  ]);
  const { conclusion, stop, turns, answer } = parse(stdout);
  expect({ code, conclusion, stop, turns, answer }).toEqual({
    code: 3,
    conclusion: 'limit',
    stop: { kind: 'turn_limit', message: 'The run used its 2 turns before it was done.' },
    turns: 2,
    answer: 'Working.',
  });
});

test('a prompt can come from standard input, and the folder need not be a repository', async () => {
  local.learn('from the pipe', editing);
  const folder = await local.plainFolder({ 'a.txt': 'red\n' });
  const { code, stdout } = await local.anode(folder, ['run', '--prompt', '-', '--output', 'json'], {
    stdin: 'paint from the pipe\n',
  });
  const { conclusion, changes } = parse(stdout);
  expect({ code, conclusion, changes }).toEqual({ code: 0, conclusion: 'success', changes: [paintedChange] });
});

test('earlier uncommitted work stays unchanged and is no change of the run', async () => {
  local.learn('leave the rest', editing);
  const folder = await local.checkout({ 'a.txt': 'red\n', 'b.txt': 'old\n', 'c.txt': 'old\n' });
  await writeFile(path.join(folder, 'b.txt'), 'edited by a person\n');
  await writeFile(path.join(folder, 'c.txt'), 'staged by a person\n');
  await writeFile(path.join(folder, 'd.txt'), 'new, by a person\n');
  await local.git(folder, 'add', 'c.txt');
  const { code, stdout } = await local.anode(folder, [
    'run',
    '--prompt',
    'leave the rest',
    '--output',
    'json',
  ]);
  const changes = parse(stdout).changes;
  const status = await local.git(folder, 'status', '--porcelain');
  const b = await readFile(path.join(folder, 'b.txt'), 'utf8');
  expect({ code, changes, status, b }).toEqual({
    code: 0,
    changes: [paintedChange],
    status: ' M a.txt\n M b.txt\nM  c.txt\n?? d.txt\n',
    b: 'edited by a person\n',
  });
});

test('an answer by --output-schema is part of the report, and a wrong one is asked for again', async () => {
  const folder = await local.checkout({
    'a.txt': 'red\n',
    'schema.json': '{"type":"array","items":{"type":"string"}}',
  });
  local.learn('list the colours', (turn) => ({ text: turn === 1 ? 'Red.' : '["red"]' }));
  const args = [
    'run',
    '--prompt',
    'list the colours',
    '--output',
    'json',
    '--output-schema',
    `${folder}/schema.json`,
  ];
  const { code, stdout } = await local.anode(folder, args);
  const { answer, structured, turns } = parse(stdout);
  expect({ code, answer, structured, turns }).toEqual({
    ...{ code: 0, answer: '["red"]', structured: ['red'], turns: 2 },
  });
});
