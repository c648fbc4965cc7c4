import { expect, test } from 'vitest';
import { renderEvaluation } from '../../src/evals/render-evaluation.ts';
import { passAt, summarise, summariseGroups } from '../../src/evals/summarise-trials.ts';
import type { EvalCandidate, TrialResult } from '../../src/evals/trial-result.ts';

const trial = (task: string, attempt: number, result: TrialResult['result']): TrialResult => ({
  ...{ task, attempt, tries: 1, result, why: null, conclusion: 'success', model: 'm', profile: 'craft' },
  ...{ run_id: 'run_1', turns: 2, cost_usd: 0.01, duration_ms: 1500 },
  usage: { input: 900, output: 100, cache_read: 0, cache_write: 0 },
});

const trials = [
  ...[trial('a', 1, 'passed'), trial('a', 2, 'passed')],
  ...[trial('b', 1, 'failed'), trial('b', 2, 'passed')],
];

test('adds up trials by task, with pass@k and the deviation between attempts', () => {
  const { tasks, deviation, cost_usd, ...summary } = summarise(trials);
  expect(tasks.map(({ task, passed }) => [task, passed])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(summary).toEqual({
    ...{ trials: 4, passed: 3, pass_rate: 0.75, k: 2, pass_at_k: 1, turns: 8, duration_ms: 6000 },
    passed_first: 3,
    usage: { input: 3600, output: 400, cache_read: 0, cache_write: 0 },
  });
  expect(deviation).toBeCloseTo(Math.sqrt(0.125));
  expect(cost_usd).toBeCloseTo(0.04);
});

test('adds up the tasks of each group, and what passed at the first try', () => {
  const second = { ...trial('go/b', 1, 'passed'), tries: 2 };
  const groups = summariseGroups([
    trial('go/a', 1, 'passed'),
    second,
    trial('rust/a', 1, 'failed'),
    ...trials,
  ]);
  expect(
    groups.map(({ group, passed, passed_first, trials: all }) => [group, passed, passed_first, all]),
  ).toEqual([
    ['go', 2, 1, 2],
    ['rust', 0, 0, 1],
  ]);
});

test('estimates pass@k without bias', () => {
  // One of three passed: of the three pairs, two hold it.
  expect(passAt(2, 3, 1)).toBeCloseTo(2 / 3);
  expect([passAt(1, 4, 1), passAt(3, 3, 0), passAt(1, 1, 1)]).toEqual([0.25, 0, 1]);
});

test('has no cost if one is unknown, and no deviation with one attempt', () => {
  const one = { ...trial('a', 1, 'passed'), cost_usd: null };
  expect(summarise([one])).toMatchObject({ cost_usd: null, deviation: null, k: 1, pass_at_k: 1 });
  expect(summarise([])).toMatchObject({ trials: 0, pass_rate: 0, pass_at_k: 0, k: 0 });
});

test('renders a table for each candidate, their comparison, and what was skipped', () => {
  const candidate = (model: string): EvalCandidate => ({
    model,
    profile: 'craft',
    prompt: null,
    by: 'model',
  });
  const text = renderEvaluation(
    [
      { candidate: candidate('p/one'), trials },
      { candidate: candidate('p/two'), trials: [trial('a', 1, 'error')] },
    ],
    [{ task: 'c', reason: 'there is no transcript' }],
  );
  expect(text).toBe(`p/one, profile craft
  task  result  turns  tokens     cost   time
  a        2/2      4   2,000  $0.0200  3.0 s
  b        1/2      4   2,000  $0.0200  3.0 s
3 of 4 passed (75 % ± 35.4 %; pass@2 100 %), 4,000 tokens, $0.0400, 6.0 s

p/two, profile craft
  task  result  turns  tokens     cost   time
  a      error      2   1,000  $0.0100  1.5 s
0 of 1 passed (0 %), 1,000 tokens, $0.0100, 1.5 s

  candidate             passed  rate  tokens     cost   time
  p/one, profile craft     3/4  75 %   4,000  $0.0400  6.0 s
  p/two, profile craft     0/1   0 %   1,000  $0.0100  1.5 s

Skipped 1: there is no transcript (c)
`);
});
