import { expect, test } from 'vitest';
import type { RunEntry } from '../../src/contract/run-ledger.ts';
import { foldOutcome } from '../../src/reporting/fold-outcome.ts';
import { finding, ledger, noChanges, started } from './samples.ts';

const usage = { input: 10, output: 2, cache_read: 3, cache_write: 0 };
const call: RunEntry = {
  type: 'tool.call',
  call_id: 'c1',
  tool: 'read',
  input: { path: 'a' },
  what: 'a',
  decision: null,
};
const finished: RunEntry = {
  type: 'run.finished',
  conclusion: 'success',
  answer: 'All good.',
  stop: null,
  turns: 2,
  usage,
  cost_usd: 0.5,
  duration_ms: 1234,
};

test('folds a run into one object with all facts of a report', () => {
  const refusal = { tool: 'bash', what: 'rm -rf /', reason: 'It is destructive.', call_id: 'c2' };
  const todos = [{ id: '1', content: 'Look', status: 'completed' as const }];
  const lines = ledger(
    started,
    call,
    { type: 'todos', todos: [{ id: '1', content: 'Look', status: 'pending' }] },
    { type: 'todos', todos },
    { type: 'refusal', refusal },
    { type: 'findings', findings: [finding] },
    { type: 'diagnostic', level: 'info', message: 'said quietly' },
    { type: 'diagnostic', level: 'warning', message: 'No sandbox here.' },
    finished,
  );
  expect(foldOutcome(lines, noChanges)).toEqual({
    version: 1,
    run_id: 'run_1',
    session_id: 'session_1',
    conclusion: 'success',
    answer: 'All good.',
    stop: null,
    model: 'anthropic/claude',
    profile: 'craft',
    preset: 'careful',
    turns: 2,
    tool_calls: 1,
    usage,
    cost_usd: 0.5,
    duration_ms: 1234,
    todos,
    findings: [finding],
    refusals: [refusal],
    approvals: [],
    handoffs: [],
    question: null,
    diagnostics: ['No sandbox here.'],
    changes: noChanges,
  });
});

test('tells what proves the changes, only where there are any', () => {
  const rest = { error_kind: null, spill: null, duration_ms: 1 };
  const check = (call_id: string, exit_code: number): RunEntry[] => [
    { ...call, call_id, tool: 'bash', input: { command: 'npm test' } },
    { type: 'tool.result', call_id, tool: 'bash', ok: true, content: '', ...rest, data: { exit_code } },
  ];
  const change = { type: 'change', change: { path: 'a' } } as RunEntry;
  const lines = ledger(started, ...check('c1', 1), change, ...check('c2', 0), finished);
  const file = {
    path: 'a',
    kind: 'delete',
    mode: null,
    old_mode: '100644',
    content: null,
    diff: '',
  } as const;
  const changes = { ...noChanges, files: [{ ...file, binary: false }] };
  expect([foldOutcome(lines, changes).proven, foldOutcome(lines, noChanges).proven]).toEqual([
    [{ command: 'npm test', before: 1, after: 0 }],
    undefined,
  ]);
});

test('counts summaries of older turns, but no other compaction', () => {
  const budget = { type: 'compaction', before_tokens: 9, after_tokens: 3, note: 'Done.' } as const;
  const folded = (entries: RunEntry[]) => foldOutcome(ledger(started, ...entries, finished), noChanges);
  const summary = { ...budget, kept: 'the note' };
  expect(folded([budget, summary, budget, summary])).toEqual({ ...folded([]), summarised: 2 });
  expect(folded([budget])).toEqual(folded([]));
});

test('counts findings of a child review once, also if they are reported', () => {
  const result: RunEntry = {
    type: 'tool.result',
    call_id: 'c1',
    tool: 'code_review',
    ok: true,
    content: '1 finding',
    data: JSON.parse(JSON.stringify({ findings: [finding] })),
    error_kind: null,
    spill: null,
    duration_ms: 1,
  };
  const lines = ledger(started, result, { type: 'findings', findings: [finding] }, finished);
  expect(foldOutcome(lines, noChanges).findings).toEqual([finding]);
});

test('counts a resumed session as a whole, also after a crash', () => {
  const before = { turns: 3, tool_calls: 7, usage, cost_usd: 0.25, duration_ms: 60_000 };
  const begun = { ...started, before };
  const ended = foldOutcome(ledger(begun, call, { ...finished, unreported: 'report_findings' }), noChanges);
  expect([ended.tool_calls, ended.cost_usd, ended.unreported]).toEqual([8, 0.5, 'report_findings']);
  const broken = foldOutcome(
    ledger(begun, { type: 'turn.started', turn: 4 }, { type: 'usage', turn: 4, usage, cost_usd: 0.5 }, call),
    noChanges,
  );
  const { turns, tool_calls, usage: used, cost_usd, duration_ms } = broken;
  expect({ turns, tool_calls, input: used.input, cost_usd, duration_ms }).toEqual({
    ...{ turns: 4, tool_calls: 8, input: 20 },
    ...{ cost_usd: 0.75, duration_ms: 63_000 },
  });
});

test('replaces an earlier review of the same files', () => {
  const review = (call_id: string, files: readonly string[], findings: readonly unknown[]): RunEntry => ({
    ...{ type: 'tool.result', call_id, tool: 'code_review', ok: true, content: '', error_kind: null },
    data: JSON.parse(JSON.stringify({ findings, reviewed: { files, check_filter: [], checks_only: false } })),
    ...{ spill: null, duration_ms: 1 },
  });
  const other = { ...finding, title: 'Elsewhere', body: 'Nobody closes the file.' };
  const third = { ...finding, title: 'New' };
  const lines = ledger(
    started,
    review('c1', ['a', 'b'], [finding]),
    review('c2', ['c'], [other]),
    review('c3', ['a', 'b'], [third]),
    finished,
  );
  expect(foldOutcome(lines, noChanges).findings).toEqual([third, other]);
});

test('replaces earlier lists of findings, except those of child reviews', () => {
  const child = { ...finding, title: 'Found by the child', body: 'Nobody closes the file.' };
  const result: RunEntry = {
    type: 'tool.result',
    call_id: 'c1',
    tool: 'code_review',
    ok: true,
    content: '1 finding',
    data: JSON.parse(JSON.stringify({ findings: [child] })),
    error_kind: null,
    spill: null,
    duration_ms: 1,
  };
  const first: RunEntry = { type: 'findings', findings: [finding, { ...finding, line: 9 }] };
  const findingsAfter = (...entries: RunEntry[]) =>
    foldOutcome(ledger(started, first, result, ...entries, finished), noChanges).findings;
  const second = { ...finding, title: 'Corrected' };
  expect([
    findingsAfter({ type: 'findings', findings: [second] }),
    findingsAfter({ type: 'findings', findings: [] }),
  ]).toEqual([[second, child], [child]]);
});

test('folds a ledger without an end into a failure with its counts', () => {
  const lines = ledger(
    started,
    { type: 'turn.started', turn: 1 },
    { type: 'usage', turn: 1, usage, cost_usd: 0.25 },
    { type: 'turn.started', turn: 2 },
    { type: 'usage', turn: 2, usage, cost_usd: 0.5 },
  );
  expect(foldOutcome(lines, noChanges)).toMatchObject({
    conclusion: 'failure',
    turns: 2,
    usage: { input: 20, output: 4, cache_read: 6, cache_write: 0 },
    cost_usd: 0.75,
    duration_ms: 4000,
    diagnostics: ['The run ended without saying so: it crashed or was killed.'],
  });
});

test('cuts lists to their caps, and notes each cut', () => {
  const many = Array.from({ length: 501 }, (_, index) => ({ ...finding, line: index + 1 }));
  const outcome = foldOutcome(
    ledger(started, { type: 'findings', findings: many }, { ...finished, answer: '😀'.repeat(40_000) }),
    noChanges,
  );
  expect({
    findings: outcome.findings.map(({ line }) => line),
    answer: outcome.answer.length <= 60_000 && outcome.answer.endsWith('😀\n\n[cut]'),
    diagnostics: outcome.diagnostics,
  }).toEqual({
    findings: many.slice(0, 500).map(({ line }) => line),
    answer: true,
    diagnostics: [
      'The answer was 80000 characters long and was cut at 60000.',
      'Only 500 of 501 findings are kept in the outcome.',
    ],
  });
});

test('returns the first of many warnings, and their number', () => {
  const warnings = Array.from(
    { length: 80 },
    (_, index): RunEntry => ({ type: 'diagnostic', level: 'warning', message: `warning ${index}` }),
  );
  const { diagnostics } = foldOutcome(ledger(started, ...warnings, finished), noChanges);
  expect([diagnostics.length, diagnostics[0], diagnostics[48], diagnostics.at(-1)]).toEqual([
    50,
    'warning 0',
    'warning 48',
    'Only 49 of 80 diagnostics are kept in the outcome.',
  ]);
});

test('includes a question only while the run waits', () => {
  const question = {
    question: 'Which?',
    options: [],
    allow_freeform: true,
    required: true,
    questions: [],
  };
  const asked: RunEntry = { type: 'question', question };
  const waiting: RunEntry = { ...finished, conclusion: 'waiting' };
  expect([
    foldOutcome(ledger(started, asked, finished), noChanges).question,
    foldOutcome(ledger(started, asked, waiting), noChanges).question,
  ]).toEqual([null, question]);
});

test('throws for a ledger without a start', () => {
  expect(() => foldOutcome(ledger(finished), noChanges)).toThrow(
    'The run ledger of 1 line has no run.started entry.',
  );
});

test('names files that were too large', () => {
  const outcome = foldOutcome(ledger(started, finished), { ...noChanges, left_out: ['core', 'a`b'] });
  expect(outcome.diagnostics).toEqual([
    '2 files too large to be part of the changes, or with a name that is not UTF-8: `core`, ``a`b``',
  ]);
});

test('prefers a committed answer to the last message', () => {
  const committed = (mode: 'replace' | 'append', text: string): RunEntry => ({
    type: 'answer.committed',
    path: 'output/main.md',
    mode,
    text,
  });
  const lines = ledger(
    started,
    committed('append', 'first\n'),
    committed('replace', 'second\n'),
    committed('append', 'third'),
    finished,
  );
  expect(foldOutcome(lines, noChanges).answer).toBe('second\nthird');
});
