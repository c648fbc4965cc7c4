import { expect, test } from 'vitest';
import { closingEntry } from '../../src/reporting/counted-up.ts';
import { ledger, started } from './samples.ts';

const usage = (turn: number, cost_usd: number | null) =>
  ({
    type: 'usage',
    turn,
    usage: { input: 10, output: 2, cache_read: 3, cache_write: 4 },
    cost_usd,
  }) as const;
const empty = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

test('counts an interrupted run from its entries and the session before', () => {
  const before = {
    ...{ turns: 4, tool_calls: 9, cost_usd: 0.5, duration_ms: 100 },
    usage: { input: 1, output: 1, cache_read: 1, cache_write: 1 },
  };
  expect(
    closingEntry(
      ledger(
        { ...started, before } as typeof started,
        { type: 'turn.started', turn: 5 },
        usage(5, 0.25),
        { type: 'turn.started', turn: 6 },
        usage(6, 0.25),
      ),
    ),
  ).toEqual({
    ...{ conclusion: 'failure', answer: '', stop: null, turns: 6, cost_usd: 1, duration_ms: 4_100 },
    usage: { input: 21, output: 5, cache_read: 7, cache_write: 9 },
  });
});

test('makes the cost unknown after one unknown price, and counts nothing without entries', () => {
  const nothing = { conclusion: 'failure', answer: '', stop: null, turns: 0, usage: empty };
  expect([
    closingEntry([]),
    closingEntry(ledger(started)),
    closingEntry(ledger(usage(1, 0.5), usage(2, null))).cost_usd,
  ]).toEqual([
    { ...nothing, cost_usd: 0, duration_ms: 0 },
    { ...nothing, cost_usd: 0, duration_ms: 0 },
    null,
  ]);
});
