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
  ...{ id, workflowRun, attempt, updatedAt: updated_at, isReview: false },
});

test('the progress comment of a run is its claim, until the mark is taken out', () => {
  const plan = samplePlan({ turn: turnOf(samplePlan(), 7, 2) });
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
  const before = (own: number | null) => claimsBefore(claims, own, samplePlan()).map(({ id }) => id);
  expect([before(7), before(3), before(null)]).toEqual([[3, 5], [], [3, 5, 7, 9]]);
});

test('only a review that nobody requested waits for such a review', () => {
  const review = samplePlan({ profile: 'review', trigger_comment: null });
  const body = markedBody({ ...review, turn: turnOf(review, 7, 1) }, 'progress', 'Working.');
  const claims = [claimIn({ id: 3, body, updated_at }) ?? claim(4)];
  expect([claims, claimsBefore(claims, 5, review), claimsBefore(claims, 5, samplePlan())]).toEqual([
    [{ ...claim(3), isReview: true }],
    claims,
    [],
  ]);
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

test('a run claims its thread by its progress comment, which a review behind a summary has not', () => {
  const comment = { id: 1, kind: 'issue_comment' } as const;
  const review = { profile: 'review', trigger_comment: null };
  expect([
    claimsThread(samplePlan({ profile: 'craft', trigger_comment: null }), true),
    claimsThread(samplePlan({ profile: 'review', trigger_comment: comment }), true),
    claimsThread(samplePlan(review), false),
    claimsThread(samplePlan(review), true),
    claimsThread(samplePlan({ verb: 'triage', profile: 'triage' }), false),
    claimsThread(samplePlan({ thread: null }), false),
  ]).toEqual([true, true, true, false, false, false]);
});

test('the looks at a thread become rarer, down to two a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 100].map(turnWaitMs)).toEqual([2e3, 4e3, 8e3, 16e3, 3e4, 3e4, 3e4]);
});
