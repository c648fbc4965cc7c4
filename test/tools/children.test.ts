import { afterEach, expect, test } from 'vitest';
import { noUsage } from '../../src/contract/usage-sums.ts';
import type { ChildResult } from '../../src/tools/services/children.ts';
import { type HarnessOptions, openTools, type ToolHarness, type TreeEntry } from './tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

async function open(
  options: HarnessOptions = {},
  files: Readonly<Record<string, TreeEntry>> = {},
): Promise<ToolHarness> {
  tools = await openTools(files, { child: done, ...options });
  return tools;
}

const done: ChildResult = {
  childRunId: 'run_2',
  conclusion: 'success',
  answer: 'Checked all of it.',
  entries: [],
  turns: 3,
  usage: noUsage,
};

test('a task runs as a child of craft with its turns, three times as many calls, and five minutes', async () => {
  const { call, children } = await open();
  expect(await call('task', { goal: 'Check it.' })).toEqual({
    content: 'Checked all of it.',
    data: {
      child_run_id: 'run_2',
      conclusion: 'success',
      summary: 'Checked all of it.',
      turns: 3,
      usage: noUsage,
      changed: [],
    },
  });
  expect(children).toEqual([
    {
      title: 'Check it.',
      profile: 'craft',
      prompt: 'Check it.',
      maxTurns: null,
      mayExtend: true,
      maxToolCalls: null,
      callsPerTurn: 3,
      timeoutMs: 300_000,
      readOnly: false,
    },
  ]);
});

test("a task accepts other harnesses' arguments and reduces them to its limits", async () => {
  const { call, children } = await open();
  await call('Task', {
    description: 'Audit',
    prompt: 'Look.',
    subagent_type: 'Explore',
    context: 'It is Go.',
    tools_allowed: ['read', 'g*'],
    max_steps: '90',
    read_only: 'true',
    timeout_seconds: 9000,
  });
  await call('task', { goal: 'x', max_steps: 2, max_tool_calls: 100, title: null, profile: null });
  expect(children).toEqual([
    {
      title: 'Audit',
      profile: 'find',
      prompt: 'Look.\n\nContext:\nIt is Go.',
      maxTurns: 40,
      mayExtend: true,
      maxToolCalls: null,
      callsPerTurn: 3,
      timeoutMs: 1_800_000,
      readOnly: true,
      toolsAllowed: ['read', 'g*'],
    },
    {
      title: 'x',
      profile: 'craft',
      prompt: 'x',
      maxTurns: 2,
      mayExtend: true,
      maxToolCalls: 100,
      callsPerTurn: 3,
      timeoutMs: 300_000,
      readOnly: false,
    },
  ]);
});

test("a task's changes and the reason of an early end are reported", async () => {
  const change = { path: 'a.ts' } as Extract<ChildResult['entries'][number], { type: 'change' }>['change'];
  const child: ChildResult = {
    ...done,
    conclusion: 'limit',
    answer: '',
    entries: [
      { type: 'change', change },
      { type: 'change', change },
      {
        type: 'run.finished',
        conclusion: 'limit',
        answer: '',
        stop: { kind: 'turn_limit', message: 'The run used its 2 turns before it was done.' },
        turns: 2,
        usage: noUsage,
        cost_usd: null,
        duration_ms: 1,
      },
    ],
  };
  const { say } = await open({ child });
  expect(await say('task', { goal: 'x' })).toBe(
    [
      '(The child gave no answer.)',
      '[the child ended early (limit): The run used its 2 turns before it was done. The text above is its work so far.]',
      '[files it changed: a.ts]',
    ].join('\n\n'),
  );
});

test('the oracle gets the question with its files, at medium effort and for three minutes', async () => {
  const { call, children } = await open({}, { 'a.ts': 'one\ntwo\n', bin: Buffer.from([0, 1, 2]) });
  expect(
    await call('oracle', {
      question: 'Is it safe?',
      context: 'It runs twice.',
      files: ['a.ts', 'bin', 'none.ts'],
      focus: 'races',
    }),
  ).toEqual({
    content: 'Checked all of it.',
    data: { child_run_id: 'run_2', conclusion: 'success', turns: 3, usage: noUsage },
  });
  expect(children).toEqual([
    {
      title: 'Is it safe?',
      profile: 'oracle',
      prompt: expect.stringMatching(
        /^Is it safe\?\n\nFocus on: races\n\nContext:\nIt runs twice\.\n\nFiles:\n===== a\.ts =====\n1\tone\n2\ttwo\n===== bin =====\n\[not shown: .*\]\n===== none\.ts =====\n\[not shown: .*\]$/,
      ),
      timeoutMs: 180_000,
      effort: 3,
      readOnly: true,
    },
  ]);
});

test('the oracle uses the requested effort, time and model', async () => {
  const { call, children } = await open();
  await call('oracle', { question: 'x', effort: 'max', model: 'openai/b', timeout_seconds: 5000 });
  expect(children).toEqual([
    {
      ...{ title: 'x', profile: 'oracle', prompt: 'x', timeoutMs: 600_000, effort: 6 },
      ...{ model: 'openai/b', readOnly: true },
    },
  ]);
});

test("files beyond the oracle's limit are only named", async () => {
  const large = `${'x'.repeat(99)}\n`.repeat(1000);
  const names = Array.from({ length: 22 }, (_, index) => `f${index}.txt`);
  const { call, children } = await open({}, Object.fromEntries(names.map((name) => [name, large])));
  await call('oracle', { question: 'x', files: names });
  const prompt = children[0]?.prompt ?? '';
  expect(Buffer.byteLength(prompt)).toBeLessThan(140_000);
  expect(prompt).toContain('===== f19.txt =====\n[left out for lack of space; read it]');
  expect(prompt.endsWith('[not shown, read them: f20.txt, f21.txt]')).toBe(true);
});

test('finder asks a read-only agent and says so', async () => {
  const { call, children } = await open();
  expect(await call('finder', { mode: 'agent', query: 'who listens?', path: 'src', glob: '*.ts' })).toEqual({
    content: 'Checked all of it.',
    data: { mode: 'agent', child_run_id: 'run_2', conclusion: 'success', turns: 3, agent_fallback: false },
  });
  expect(children).toEqual([
    {
      title: 'Find: who listens?',
      profile: 'find',
      prompt: 'who listens?\nLook in src.\nFiles: *.ts',
      timeoutMs: 180_000,
      readOnly: true,
    },
  ]);
});

test('finder searches the text if its agent has no answer', async () => {
  const { call } = await open(
    { child: { ...done, answer: '', conclusion: 'limit' } },
    { 'a.ts': 'listen();\n' },
  );
  expect(await call('finder', { mode: 'agent', query: 'who does listen?' })).toEqual({
    content:
      'a.ts:1:listen();\n[no agent answered: lines with the most words of the question; symbols or grep find more]',
    data: { mode: 'text', total: 1, truncated: false, agent_fallback: true },
  });
});
