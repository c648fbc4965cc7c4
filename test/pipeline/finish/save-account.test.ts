import { expect, test } from 'vitest';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import { saveAccount } from '../../../src/pipeline/finish/save-account.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { sampleOutcome, samplePlan } from '../../reporting/samples.ts';

test('the account of a run that was continued is replaced by that of its continuation', async () => {
  const store = createMemoryStateStore();
  const resume = { run_id: 'run_a', session_id: 's', answer: 'Go on.', answered_by: 'ada' };
  await saveAccount(samplePlan({ run_id: 'run_a' }), sampleOutcome({}), {}, store);
  const first = await store.list(stateKeys.account(7, ''));
  await saveAccount(samplePlan({ run_id: 'run_b', resume }), sampleOutcome({}), {}, store);
  expect([first, await store.list(stateKeys.account(7, ''))]).toEqual([
    [stateKeys.account(7, 'run_a')],
    [stateKeys.account(7, 'run_b')],
  ]);
});
