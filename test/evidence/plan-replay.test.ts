import { expect, test } from 'vitest';
import type { Decision } from '../../src/contract/decision.ts';
import { classifyForReplay } from '../../src/evidence/plan-replay.ts';
import type { Receipt } from '../../src/evidence/receipts.ts';

const known = new Set(['read']);
const decision: Decision = {
  action: 'allow',
  level: 'auto_read',
  reason: '',
  rule: null,
  hard: false,
  commands: [],
};
const result = { ok: true, error_kind: null, sha256: '', characters: 0, spill: null, duration_ms: 1 };
const reading: Receipt = {
  ...{ v: 1, requested_by: 'run_1', call_id: 'c1', tool: 'read', what: 'a.txt', input: { path: 'a.txt' } },
  ...{ input_redacted: false, decision, result, at: '2026-01-02T03:04:05.000Z' },
};

test.each<[string, Partial<Receipt>, string]>([
  ['a successful read', {}, 'read-only: It only read inside the checkout.'],
  ['a call without a result', { result: null }, 'skipped: The run ended before the call did.'],
  [
    'a failed call',
    { result: { ...result, ok: false, error_kind: 'not_found' } },
    'skipped: The call failed (not_found).',
  ],
  ['a call that was not understood', { decision: null }, 'inspect-only: No decision is recorded for it.'],
  ['a write', { decision: { ...decision, level: 'confirm_write' } }, 'inspect-only: It changed files.'],
  ['a command', { decision: { ...decision, level: 'confirm_execute' } }, 'inspect-only: It ran a command.'],
  [
    'a read from outside',
    { decision: { ...decision, level: 'external_read' } },
    'inspect-only: It read from outside, which may have changed.',
  ],
  ['redacted arguments', { input_redacted: true }, 'inspect-only: A secret was removed from its arguments.'],
  [
    'an output in a file',
    { result: { ...result, spill: 'spill/c1.txt' } },
    'inspect-only: Its output was too long for the record.',
  ],
  ['a tool that is not here', { tool: 'mcp.read' }, 'inspect-only: There is no such tool here.'],
])('classifies %s', (_, difference, expected) => {
  const { kind, reason } = classifyForReplay({ ...reading, ...difference }, known);
  expect(`${kind}: ${reason}`).toBe(expected);
});
