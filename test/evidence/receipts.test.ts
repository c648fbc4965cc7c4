import { expect, test } from 'vitest';
import type { Decision } from '../../src/contract/decision.ts';
import type { RunEntry, RunLedgerLine } from '../../src/contract/run-ledger.ts';
import { foldReceipts, textHash } from '../../src/evidence/receipts.ts';

const at = '2026-01-02T03:04:05.000Z';
const decision: Decision = {
  action: 'allow',
  level: 'auto_read',
  reason: 'It reads.',
  rule: null,
  hard: false,
  commands: [],
};
const call = (call_id: string, input: Record<string, string>) =>
  ({ type: 'tool.call', call_id, tool: 'read', input, what: input.path ?? '', decision }) as const;
const result = (call_id: string, content: string) =>
  ({
    type: 'tool.result',
    call_id,
    tool: 'read',
    ok: true,
    content,
    error_kind: null,
    spill: null,
    duration_ms: 3,
  }) as const;
const started: RunEntry = {
  ...({ type: 'run.started' } as const),
  ...{ run_id: 'run_1', session_id: 'sess_1', parent_run_id: null, model: 'a/b' },
  ...{
    profile: 'craft',
    preset: 'careful',
    sandbox: 'required',
    prompt: 'Do it.',
    max_turns: 20,
    base_sha: null,
  },
};
const linesOf = (entries: readonly RunEntry[]): RunLedgerLine[] =>
  entries.map((entry, index) => ({ v: 1, seq: index + 1, at, prev: null, entry }));

test('makes a receipt of each call with its decision and the hash of its result', async () => {
  const lines = linesOf([started, call('c1', { path: 'a.txt' }), result('c1', 'one')]);
  expect(await foldReceipts(lines)).toEqual([
    {
      ...{ v: 1, requested_by: 'run_1', call_id: 'c1', tool: 'read', what: 'a.txt', at },
      ...{ input: { path: 'a.txt' }, input_redacted: false, decision },
      result: {
        ok: true,
        error_kind: null,
        sha256: textHash('one'),
        characters: 3,
        spill: null,
        duration_ms: 3,
      },
    },
  ]);
});

test('names the child run of a call, also if two runs use one id', async () => {
  const child = (entry: ReturnType<typeof call> | ReturnType<typeof result>) =>
    ({ type: 'child_run.entry', child_run_id: 'child_1', entry }) as const;
  const receipts = await foldReceipts(
    linesOf([
      ...[started, call('c1', { path: 'a.txt' }), child(call('c1', { path: 'b.txt' }))],
      ...[child(result('c1', 'child')), result('c1', 'parent')],
    ]),
  );
  expect(receipts.map(({ requested_by, what, result: end }) => [requested_by, what, end?.sha256])).toEqual([
    ['run_1', 'a.txt', textHash('parent')],
    ['child_1', 'b.txt', textHash('child')],
  ]);
});

test('omits the result of a call that the end of the run interrupted', async () => {
  const [only] = await foldReceipts(linesOf([started, call('c1', { path: 'a.txt' })]));
  expect(only?.result).toBeNull();
});

test('marks arguments from which a secret was removed', async () => {
  const [only] = await foldReceipts(linesOf([started, call('c1', { path: 'x [redacted]' })]));
  expect(only?.input_redacted).toBe(true);
});
