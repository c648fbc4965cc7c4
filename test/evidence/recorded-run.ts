import type { Decision } from '../../src/contract/decision.ts';
import type { RunEntry, RunLedgerLine } from '../../src/contract/run-ledger.ts';

const decision: Decision = {
  action: 'allow',
  level: 'auto_read',
  reason: 'It reads.',
  rule: null,
  hard: false,
  commands: [],
};
const usage = { input: 10, output: 2, cache_read: 30, cache_write: 5 };

/** A run of two turns, with one call of its own and one of a child, a second between two entries. */
export const recordedRun: readonly RunLedgerLine[] = linesOf([
  {
    type: 'run.started',
    run_id: 'run_1',
    session_id: 'sess_1',
    parent_run_id: null,
    model: 'vertex/some/model',
    profile: 'craft',
    preset: 'careful',
    sandbox: 'on',
    prompt: 'Do it.',
    max_turns: 20,
    base_sha: null,
  },
  { type: 'message', message: { role: 'user', parts: [{ type: 'text', text: 'Do it.' }] } },
  { type: 'turn.started', turn: 1 },
  { type: 'usage', turn: 1, usage, cost_usd: 0.5 },
  {
    type: 'message',
    message: {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: 'c1', name: 'read', input: { path: 'a.txt' } },
        { type: 'tool_call', id: 'c2', name: 'bash', input: 'not json' },
      ],
    },
  },
  {
    ...{ type: 'tool.call', call_id: 'c1', tool: 'read', input: { path: 'a.txt' }, what: 'a.txt' },
    decision,
  },
  result('c1', 'one', true),
  { type: 'child_run.started', child_run_id: 'child_1', title: 'Look', profile: 'find' },
  {
    type: 'child_run.entry',
    child_run_id: 'child_1',
    entry: {
      ...{ type: 'tool.call', call_id: 'c1', tool: 'grep', input: { pattern: 'x' }, what: 'x' },
      decision,
    },
  },
  { type: 'child_run.entry', child_run_id: 'child_1', entry: result('c1', 'no', false) },
  {
    ...{ type: 'child_run.result', child_run_id: 'child_1', conclusion: 'success', summary: 'Nothing.' },
    ...{ turns: 1, usage },
  },
  {
    type: 'message',
    message: {
      role: 'user',
      parts: [
        { type: 'tool_result', call_id: 'c1', content: [{ type: 'text', text: 'one' }], is_error: false },
      ],
    },
  },
  { type: 'turn.started', turn: 2 },
  { type: 'usage', turn: 2, usage, cost_usd: null },
  { type: 'message', message: { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] } },
  {
    ...{ type: 'run.finished', conclusion: 'success', answer: 'Done.', stop: null, turns: 2 },
    ...{ usage: { input: 20, output: 4, cache_read: 60, cache_write: 10 }, cost_usd: 0.5, duration_ms: 9 },
  },
]);

function result(call_id: string, content: string, ok: boolean) {
  return {
    ...({ type: 'tool.result', call_id, tool: 'any', ok, content } as const),
    ...{ error_kind: ok ? null : 'not_found', spill: null, duration_ms: 250 },
  };
}

function linesOf(entries: readonly RunEntry[]): RunLedgerLine[] {
  return entries.map((entry, index) => {
    const at = `2026-01-02T03:04:${String(index).padStart(2, '0')}.000Z`;
    return { v: 1, seq: index + 1, at, prev: null, entry };
  });
}
