import { expect, test } from 'vitest';
import { renderNextStep } from '../../../src/reporting/report/render-next-step.ts';
import { sampleOutcome, samplePlan } from '../samples.ts';

const stop = (kind: string) => ({ kind, message: 'because\nof that' }) as never;

test('states how to continue an unfinished run', () => {
  const on = (
    outcome: Parameters<typeof sampleOutcome>[0],
    mention: string | null = null,
    plan: Parameters<typeof samplePlan>[0] = {},
  ) => renderNextStep(sampleOutcome(outcome), samplePlan(plan), mention);
  const failed = (kind: string) => ({ conclusion: 'failure', stop: stop(kind) }) as const;
  const cancelled = { conclusion: 'cancelled', stop: stop('cancelled') } as const;
  expect([
    on({ conclusion: 'waiting', pending_approval: {} as never }),
    on({ conclusion: 'waiting' }),
    on({}),
    ...['provider_refused', 'provider_failed', 'sandbox_missing', 'internal_error', 'superseded'].map(
      (kind) => on(failed(kind)),
    ),
    on({ conclusion: 'failure' }),
    on(cancelled),
    on(cancelled, 'bot'),
    on(cancelled, 'bot', { source: { kind: 'action', delivery_id: null } }),
    on(cancelled, 'bot', { thread: null }),
  ]).toEqual([
    'Approve or deny it and the run goes on from where it is, with everything it did so far.',
    'Answer the question and the run goes on from where it is, with everything it did so far.',
    '',
    '',
    '',
    'To go on: run `anode doctor` on the machine that runs this and install what it names.',
    'To go on: look into the record of the run for the whole error, then ask again.',
    '',
    'To go on: look into the log of the run for the cause, then ask again.',
    'To start over, ask again.',
    'To go on from here: `/bot continue`. To start over, ask again.',
    'To start over, ask again.',
    'To start over, ask again.',
  ]);
});

test('a limit is raised where it was set: by a flag, an input or a file', () => {
  const limited = (kind: string, plan: Parameters<typeof samplePlan>[0]) =>
    renderNextStep(sampleOutcome({ conclusion: 'limit', stop: stop(kind) }), samplePlan(plan)).replace(
      'To go on: ask again with what is left to do, or raise ',
      '',
    );
  const keys = ['limits.maxTurns'];
  expect([
    limited('turn_limit', { limits_by_flag: keys, limits_by_input: keys }),
    limited('cost_limit', { limits_by_flag: ['limits.maxCostUsd'] }),
    limited('turn_limit', { limits_by_input: keys }),
    limited('time_limit', { limits_by_flag: keys }),
  ]).toEqual([
    '`turns=` in the request, which set the limit.',
    '`budget=` in the request, which set the limit.',
    'the input `max_turns` of the workflow.',
    '`limits.timeoutSeconds` in `.github/anode.yml`.',
  ]);
});
