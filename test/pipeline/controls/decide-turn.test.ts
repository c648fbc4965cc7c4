import { expect, test } from 'vitest';
import {
  claimIn,
  claimsBefore,
  claimsThread,
  isHeld,
  turnOf,
  turnWaitMs,
  withoutClaim,
} from '../../../src/pipeline/controls/decide-turn.ts';
import { markedBody } from '../../../src/reporting/posting/own-comment.ts';
import { samplePlan } from '../../reporting/samples.ts';

const updated_at = '2026-01-02T03:04:05Z';
const claim = (id: number, workflowRun = 7, attempt = 1) => ({
  ...{ id, workflowRun, attempt, updatedAt: updated_at },
});

test('the progress comment of a run is its claim, until the mark is taken out', () => {
  const plan = samplePlan({ turn: turnOf(7, 2) });
  const body = markedBody(plan, 'progress', 'Working.');
  expect([
    claimIn({ id: 5, body, updated_at }),
    claimIn({ id: 5, body: markedBody(plan, 'report', 'Done.'), updated_at }),
    claimIn({ id: 5, body: `Quoted: ${body}`, updated_at }),
    claimIn({ id: 5, body: withoutClaim(body), updated_at }),
    withoutClaim(body),
  ]).toEqual([
    claim(5, 7, 2),
    null,
    null,
    null,
    markedBody({ ...plan, turn: undefined }, 'progress', 'Working.'),
  ]);
});

test('a claim waits for the older ones in their order, and a run without a claim for all', () => {
  const claims = [claim(9), claim(3), claim(5), claim(7)];
  expect([
    claimsBefore(claims, 7).map(({ id }) => id),
    claimsBefore(claims, 3),
    claimsBefore(claims, null).map(({ id }) => id),
  ]).toEqual([[3, 5], [], [3, 5, 7, 9]]);
});

test('a claim is held until its workflow run ends or is started again', () => {
  const now = Date.parse(updated_at);
  expect([
    isHeld(claim(3), { isOver: false, attempt: 1 }, now),
    isHeld(claim(3), { isOver: true, attempt: 1 }, now),
    isHeld(claim(3), { isOver: false, attempt: 2 }, now),
  ]).toEqual([true, false, false]);
});

test('a claim whose workflow run cannot be read is held for half an hour after its last edit', () => {
  const now = Date.parse(updated_at);
  expect([isHeld(claim(3), null, now + 1_799_999), isHeld(claim(3), null, now + 1_800_000)]).toEqual([
    true,
    false,
  ]);
});

test('requests claim their thread; reviews that nobody requested and silent verbs only wait', () => {
  const comment = { id: 1, kind: 'issue_comment' } as const;
  expect([
    claimsThread(samplePlan({ profile: 'craft', trigger_comment: null })),
    claimsThread(samplePlan({ profile: 'review', trigger_comment: comment })),
    claimsThread(samplePlan({ profile: 'review', trigger_comment: null })),
    claimsThread(samplePlan({ verb: 'triage', profile: 'triage' })),
    claimsThread(samplePlan({ thread: null })),
  ]).toEqual([true, true, false, false, false]);
});

test('the looks at a thread become rarer, down to two a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 100].map(turnWaitMs)).toEqual([2e3, 4e3, 8e3, 16e3, 3e4, 3e4, 3e4]);
});
