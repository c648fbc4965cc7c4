import { expect, test } from 'vitest';
import type { RunEntry, RunLedgerLine } from '../../src/contract/run-ledger.ts';
import { inspectRun, renderInspection } from '../../src/evidence/inspect-run.ts';

const at = '2026-01-02T03:04:05.000Z';
const linesOf = (entries: readonly RunEntry[]): RunLedgerLine[] =>
  entries.map((entry, index) => ({ v: 1, seq: index + 1, at, prev: null, entry }));

const call = (id: string, command: string): RunEntry => ({
  ...{ type: 'tool.call', call_id: id, tool: 'bash', input: { command }, what: command, decision: null },
});
const result = (id: string, exit_code: number): RunEntry => ({
  ...{ type: 'tool.result', call_id: id, tool: 'bash', ok: true, content: '', data: { exit_code } },
  ...{ error_kind: null, spill: null, duration_ms: 1 },
});
const change: RunEntry = {
  type: 'change',
  change: {
    ...{ path: 'a.js', kind: 'modify', before: 'b', after: 'a', diff: '', risk: 'low' },
    ...{ validation: 'failed', tool: 'edit_file', call_id: 'c' },
  },
};
const validation = {
  ...{ check: 'eslint', command: null, files: ['a.js'], exit_code: 1 },
  result: 'failed' as const,
  ...{ output: [1, 2, 3, 4, 5, 6].map((n) => `a.js:${n} error No.`).join('\n'), duration_ms: 9.6 },
};
const cut: RunEntry = { type: 'cut', limit_bytes: 2_000_000, message: 'Cut.' };

test('shows what checks printed, what proves the change, and the trace', async () => {
  const run = await inspectRun(
    linesOf([
      ...[call('1', 'npm test'), result('1', 1), change, { type: 'validation' as const, ...validation }],
      ...[call('2', 'npm test'), result('2', 0)],
    ]),
  );
  const trace = { events: 2, pieces: 0, characters: 0, first_text_ms: null, cut: false };
  const shown = renderInspection(run, trace).split('\n');
  expect([run.validations, run.proofs, run.cut, shown.slice(1, 2), shown.slice(-10)]).toEqual([
    [validation],
    [{ command: 'npm test', before: 1, after: 0 }],
    null,
    ['Trace:    2 events, no streamed text'],
    [
      ...['Checks:', '  eslint a.js: failed (exit code 1), 10 ms'],
      ...[1, 2, 3, 4, 5].map((n) => `    a.js:${n} error No.`),
      ...['    [1 more lines]', '', 'Proofs:'],
      '  npm test: failed (1) before, passes after',
    ].slice(-10),
  ]);
});

test('says where a record was cut, which then proves nothing', async () => {
  const lines = linesOf([call('1', 'npm test'), result('1', 1), change, cut, call('2', 'npm test')]);
  const run = await inspectRun([...lines, ...linesOf([result('2', 0)])]);
  expect([run.cut, run.proofs, renderInspection(run, null).split('\n')[1]]).toEqual([
    { at, limit_bytes: 2_000_000 },
    [],
    `Cut:      at ${at} the ledger reached 2 MB; calls and messages after it are missing`,
  ]);
});
