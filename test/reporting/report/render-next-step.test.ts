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
    'To go on: put the task in other words, or choose another model.',
    'To go on: check that the model’s endpoint is up and its key is valid, then ask again.',
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
