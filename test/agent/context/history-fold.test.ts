import { describe, expect, it } from 'vitest';
import { newHistoryFold } from '../../../src/agent/context/history-fold.ts';
import type { Json } from '../../../src/contract/json.ts';
import type { RunEntry } from '../../../src/contract/run-ledger.ts';

let ids = 0;
/** A call with its result, as they stand in the record. */
function called(
  tool: string,
  what: string,
  { input = {}, ...rest }: { input?: Json; ok?: boolean; content?: string; data?: Json } = {},
): RunEntry[] {
  const call_id = `call_${ids++}`;
  const result = { ok: true, content: 'fine', error_kind: null, spill: null, duration_ms: 1, ...rest };
  return [
    { type: 'tool.call', call_id, tool, input, what, decision: null },
    { type: 'tool.result', call_id, tool, ...result },
  ];
}

const turn = (number: number): RunEntry => ({ type: 'turn.started', turn: number });
const changed = (path: string): RunEntry => ({
  type: 'change',
  change: {
    ...{ path, kind: 'modify', tool: 'edit_file', call_id: 'c', before: null, after: null },
    ...{ diff: '', risk: 'low', validation: 'unchecked' },
  },
});

function historyOf(entries: readonly RunEntry[]) {
  const fold = newHistoryFold();
  for (const entry of entries) fold.add(entry);
  return fold.history;
}

describe('the history of a run', () => {
  it('lists files read and changed, each once with the newest last, and actions', () => {
    const history = historyOf([
      turn(1),
      ...called('read', 'a.ts', { input: { path: 'a.ts' } }),
      ...called('multi_read', 'b.ts, a.ts', { input: { paths: ['b.ts', 'a.ts'] } }),
      ...called('read', 'gone.ts', {
        input: { path: 'gone.ts' },
        ok: false,
        content: 'There is no gone.ts.',
      }),
      turn(2),
      ...called('edit_file', 'a.ts', { input: { path: 'a.ts' } }),
      changed('a.ts'),
      ...called('todo_write', '2 tasks'),
      changed('c.ts'),
      changed('a.ts'),
    ]);
    expect(history).toEqual({
      summary: '',
      read: ['b.ts', 'a.ts'],
      changed: [
        { path: 'c.ts', kind: 'modify' },
        { path: 'a.ts', kind: 'modify' },
      ],
      failures: [{ turn: 1, call: 'read gone.ts', error: 'There is no gone.ts.', solved: null }],
      actions: [
        { turn: 1, call: 'read a.ts', ok: true },
        { turn: 1, call: 'multi_read b.ts, a.ts', ok: true },
        { turn: 1, call: 'read gone.ts', ok: false },
        { turn: 2, call: 'edit_file a.ts', ok: true },
      ],
      older: 0,
      said: [],
      decided: [],
    });
  });

  it('records how a failing command was fixed: when, and after which changes', () => {
    const npm = (exit_code: number) =>
      called('bash', 'npm test', {
        content: `${'log '.repeat(200)}1 failed`,
        data: { exit_code, signal: null },
      });
    const { failures, actions } = historyOf([
      ...[turn(3), ...npm(1), changed('a.ts'), changed('b.ts'), changed('a.ts'), turn(5), ...npm(1)],
      ...[turn(7), ...npm(0), changed('c.ts'), turn(8), ...npm(1)],
    ]);
    expect(failures.map(({ error, ...rest }) => ({ ...rest, end: error.slice(-8) }))).toEqual([
      {
        ...{ turn: 3, call: 'bash npm test', end: '1 failed' },
        solved: 'worked in turn 7, after changes to a.ts, b.ts',
      },
      { turn: 8, call: 'bash npm test', end: '1 failed', solved: null },
    ]);
    expect(actions.map(({ ok }) => ok)).toEqual([false, false, true, false]);
  });

  it("contains people's messages and decisions, each repeated decision once", () => {
    const decided: RunEntry = {
      type: 'approval.decided',
      decided: {
        ...{ verdict: 'approved', hash: 'abc', tool: 'bash', what: 'make deploy', by: 'octocat', note: 'go' },
        ...{ call_id: 'c', reason: '', at: '2026-01-01T00:00:00.000Z' },
      } as never,
    };
    const fold = newHistoryFold();
    fold.add(decided);
    fold.addReply('Which colour?', 'blue');
    fold.addReply(null, 'and be quick');
    const again = newHistoryFold(fold.history, 6);
    again.add(decided);
    expect([again.turn, again.history.decided, again.history.said]).toEqual([
      6,
      ['approved by octocat: bash make deploy (go)'],
      [
        { question: 'Which colour?', words: 'blue' },
        { question: null, words: 'and be quick' },
      ],
    ]);
  });

  it('is bounded for runs of any length and counts what it omits', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => [
      turn(index),
      ...called('read', 'x'.repeat(5_000), { input: { path: `f${index}.ts` } }),
      ...called('bash', `false ${index}`, { data: { exit_code: 1 } }),
      changed(`g${index}.ts`),
    ]);
    const history = historyOf(many.flat());
    expect({
      read: history.read.length,
      changed: history.changed.length,
      failures: history.failures.length,
      actions: history.actions.length,
      older: history.older,
      newest: history.read.at(-1),
    }).toEqual({ read: 200, changed: 300, failures: 30, actions: 150, older: 1_850, newest: 'f999.ts' });
    expect(JSON.stringify(history).length).toBeLessThan(100_000);
  });
});
