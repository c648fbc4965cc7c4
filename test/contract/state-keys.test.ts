import { expect, test } from 'vitest';
import { stateKeys } from '../../src/contract/state-keys.ts';

test('keys of stored state never change, because state outlives versions', () => {
  const { eyes, timer, toolbox, ...named } = stateKeys;
  const { allAccounts, allEyes, allMaking, allTimers, allSummaryBodies, ...others } = named;
  const plain = Object.entries(others).map(([name, key]) => [
    name,
    (key as (...parts: (number | string)[]) => string)(7, 'b'),
  ]);
  expect(Object.fromEntries(plain)).toEqual({
    plan: 'plan/7',
    answered: 'told/7',
    open: 'open/7',
    stop: 'stop/7',
    finished: 'finished/7',
    making: 'making/7/b',
    account: 'accounts/7/b',
    closed: 'closed/7',
    controls: 'controls/7',
    pastRun: 'past-runs/7',
    pastMessages: 'past-messages/7',
    review: 'review/7',
    summary: 'summary/7',
    summaryBoxes: 'summary-boxes/7',
    summaryBody: 'summary-body/7/b',
    suggestions: 'suggestions/7',
    applied: 'applied/7',
    head: 'head/7',
    hinted: 'hinted/7/b',
    lost: 'lost/7',
    hint: 'hint/7/b',
    hints: 'hint/7/',
    lastRequest: 'request/7',
    lastReview: 'last-review/7',
    pendingRequest: 'held/7/b',
    confirmation: 'confirm/7',
    stoppedAt: 'stopped-at/7',
    stopped: 'stopped/7',
    autorun: 'autorun/7',
    waiting: 'waiting/7/b',
    asked: 'asked/7',
    boxes: 'boxes/7',
    resumed: 'resumed/7',
    approval: 'approval/7/b',
    usedCall: 'approval-used/7/b',
    proposal: 'proposal/7/b',
    usedProposal: 'used-approval/7/b',
    task: 'tasks/7',
    persistent: 'persist/7',
    embeddings: 'embeddings/7',
    localSession: 'waiting-session/7',
  });
  expect([
    eyes({ kind: 'issue_comment', id: 7 }),
    timer({ due: '2026-01-01T00:00:00Z', kind: 'reminder', run_id: 'run_0' }),
    ...[allAccounts, allEyes, allMaking, allTimers, allSummaryBodies, toolbox()],
  ]).toEqual([
    'eyes/issue_comment/7',
    'alarm/2026-01-01T00:00:00Z/reminder/run_0',
    ...['accounts/', 'eyes/', 'making/', 'alarm/', 'summary-body/', 'toolbox'],
  ]);
});
