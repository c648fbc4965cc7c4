import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import { asPullEvent, clickedVerb } from '../../../src/webhooks/triggers/check-run-click.ts';

const event = (payload: JsonObject, name = 'check_run') => ({ name, delivery_id: 'd', payload }) as never;

/** The pull request that an event is given. */
const pullOf = (check_run: JsonObject, name?: string) => asPullEvent(event({ check_run }, name)).payload;

test('an event of a check run becomes one of the pull request in its `external_id`', () => {
  const check = { external_id: 'run_1/7', head_sha: 'abc', started_at: 's', completed_at: 'c' };
  const pull = { number: 7, state: 'open', head: { sha: 'abc' }, updated_at: 'c' };
  expect([
    pullOf(check),
    pullOf({ ...check, completed_at: null }),
    pullOf({ external_id: 'a/b/1234567890' }),
  ]).toEqual([
    { check_run: check, pull_request: pull },
    { check_run: { ...check, completed_at: null }, pull_request: { ...pull, updated_at: 's' } },
    {
      check_run: { external_id: 'a/b/1234567890' },
      pull_request: { number: 1_234_567_890, state: 'open', head: { sha: null }, updated_at: null },
    },
  ]);
});

test.each([
  [{ external_id: 'run_1' }],
  [{ external_id: 'run_1/0' }],
  [{ external_id: 'run_1/07' }],
  [{ external_id: 'run_1/12345678901' }],
  [{ external_id: 'run_1/7 ' }],
  [{ external_id: '7' }],
  [{ external_id: null }],
  [{}],
])('a check run with %j stays unchanged', (check_run) => {
  expect(pullOf(check_run)).toEqual({ check_run });
});

test('any other event stays unchanged', () => {
  const other = event({ check_run: { external_id: 'run_1/7' } }, 'check_suite');
  const without = event({ check_run: 'x' });
  expect([asPullEvent(other) === other, asPullEvent(without) === without]).toEqual([true, true]);
});

test.each([
  [{ action: 'rerequested', check_run: { name: 'anode review' } }, 'review'],
  [{ action: 'rerequested', check_run: { name: 'anode' } }, 'retry'],
  [{ action: 'rerequested', requested_action: { identifier: 'fix' } }, 'retry'],
  [{ action: 'requested_action', requested_action: { identifier: 'fix' } }, 'fix'],
  [{ action: 'requested_action', requested_action: { identifier: 'retry' } }, 'retry'],
  [{ action: 'requested_action', requested_action: { identifier: 'review' } }, null],
  [{ action: 'requested_action', check_run: { name: 'anode review' } }, null],
  [{}, null],
])('%j starts the verb %j', (payload, verb) => {
  expect(clickedVerb(event(payload as JsonObject))).toBe(verb);
});
