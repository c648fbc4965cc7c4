import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/contract/run-event.ts';
import { noSessionUsage, noUsage } from '../../../src/contract/usage-sums.ts';
import {
  foldProgress,
  type ProgressView,
  renderCost,
  renderProgress,
  startingView,
} from '../../../src/reporting/progress/render-progress.ts';
import { started } from '../samples.ts';

test('displays a starting run with a link to its log', () => {
  expect(renderProgress(startingView, 'https://ci.test/1')).toBe(
    '**Working on it.**\n\n<sub>Starting · [run](https://ci.test/1)</sub>',
  );
});

test('displays the list, the active call and the cost of a run', () => {
  const todos = [
    { id: '1', content: 'Look', status: 'completed' as const },
    { id: '2', content: 'Ask @ada', status: 'pending' as const },
  ];
  expect(
    renderProgress(
      {
        todos,
        turn: 3,
        maxTurns: 40,
        costUsd: 0.1234,
        activity: { tool: 'bash', what: 'echo `a`\n' },
        state: 'running',
      },
      null,
    ),
  ).toBe(
    [
      '**Working on it.**',
      '- [x] Look\n- [ ] Ask @\u200bada',
      'Now: `` bash echo `a` ``',
      '<sub>Turn 3 of 40 · $0.12 · 1 of 2 steps done</sub>',
    ].join('\n\n'),
  );
});

test('displays small costs with four decimals', () => {
  expect([0, 0.0042, 0.1, 12].map(renderCost)).toEqual(['$0.00', '$0.0042', '$0.10', '$12.00']);
});

const fold = (...events: RunEvent[]): ProgressView => events.reduce(foldProgress, startingView);
const call: RunEvent = {
  type: 'tool.call',
  call_id: 'c1',
  tool: 'bash',
  input: {},
  what: 'npm test',
  decision: null,
};

test('displays a wait for the model without its address, until it answers', () => {
  const message = 'Waiting for the model at api.example: 529 Overloaded. Try 2 of 8 begins in 4 s.';
  const waiting: RunEvent = {
    ...{ type: 'model.waiting', model: 'a/b', reason: 'overloaded', message },
    ...{ attempt: 2, attempts: 8, wait_ms: 4_000 },
  };
  const told = (event: RunEvent) => fold(call, event).activity?.what;
  expect([told(waiting), told({ ...waiting, reason: 'silent', attempt: 1 })]).toEqual([
    'Waiting for the model: overloaded, try 2 of 8',
    'Waiting for the model: it is silent, try 1 of 8',
  ]);
  const answered: RunEvent = { type: 'usage', turn: 1, usage: noUsage, cost_usd: 0 };
  expect(fold(waiting, answered).activity).toBeNull();
  expect(fold(call, answered).activity).toEqual({ tool: 'bash', what: 'npm test' });
});

test('follows turns, costs, the list and the active call', () => {
  const todos = [{ id: '1', content: 'Look', status: 'in_progress' as const }];
  expect(
    fold(
      started as RunEvent,
      { type: 'turn.started', turn: 2 },
      { type: 'usage', turn: 1, usage: noUsage, cost_usd: 0.25 },
      { type: 'usage', turn: 2, usage: noUsage, cost_usd: 0.25 },
      { type: 'todos', todos },
      call,
    ),
  ).toEqual({
    todos,
    turn: 2,
    maxTurns: 40,
    costUsd: 0.5,
    activity: { tool: 'bash', what: 'npm test' },
    state: 'running',
  });
});

test('counts the limit of a resumed session from its start', () => {
  const resumed = { ...started, max_turns: 18, before: { ...noSessionUsage, turns: 2 } } as RunEvent;
  expect(fold(resumed, { type: 'turn.started', turn: 3 })).toMatchObject({ turn: 3, maxTurns: 20 });
});

test('makes the sum unknown after one unknown cost', () => {
  const usage = (cost_usd: number | null): RunEvent => ({ type: 'usage', turn: 1, usage: noUsage, cost_usd });
  expect(fold(usage(1), usage(null), usage(1)).costUsd).toBeNull();
});

test('returns the same view after an irrelevant event', () => {
  const view = fold(call);
  expect(foldProgress(view, { type: 'text.delta', text: 'hm' })).toBe(view);
});

test('displays the set-up until it ends', () => {
  const setup = (state: 'started' | 'cached'): RunEvent => ({ type: 'setup', state, what: 'npm ci' });
  expect(fold(setup('started')).activity).toEqual({ tool: 'set-up', what: 'npm ci' });
  expect(fold(setup('started'), setup('cached')).activity).toBeNull();
});

test('changes the state at a question and at the end', () => {
  const question: RunEvent = {
    type: 'question',
    question: { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] },
  };
  const end = (conclusion: 'success' | 'waiting'): RunEvent => ({
    type: 'run.finished',
    conclusion,
    answer: '',
    stop: null,
    turns: 1,
    usage: noUsage,
    cost_usd: null,
    duration_ms: 1,
  });
  expect([
    fold(call, question).state,
    fold(question, end('waiting')).state,
    fold(call, end('success')),
  ]).toEqual(['waiting', 'waiting', { ...startingView, state: 'finished' }]);
});
