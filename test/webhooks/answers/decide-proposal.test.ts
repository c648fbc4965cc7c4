import { expect, test } from 'vitest';
import type { PlanProposal } from '../../../src/contract/thread-records.ts';
import { carryOut, decideProposal } from '../../../src/webhooks/answers/decide-proposal.ts';
import type { EventRequest } from '../../../src/webhooks/authorize/authorize-event.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { apiError, askedFor, baseSha, eventRequest, headSha } from '../event-request.ts';
import { memoryStore } from '../memory-store.ts';

const hash = '0123456789abcdef';
const proposal: PlanProposal = { version: 1, run_id: 'run_1', hash, text: 'The plan.', head_sha: headSha };
const planKey = `proposal/5/${hash}`;
const decidedKey = `approval/5/${hash}`;
const body = `/bot approve ${hash}`;

interface World {
  readonly kept?: PlanProposal | string | null;
  readonly decided?: string;
  readonly trigger?: Partial<Trigger>;
  readonly judged?: Partial<EventRequest>;
  readonly comment?: object | number;
  readonly dryRun?: boolean;
}

/** Gives the decision, and what is kept of it. */
async function decide({
  kept = proposal,
  decided,
  trigger,
  judged,
  comment = {},
  dryRun = false,
}: World = {}) {
  const store = memoryStore();
  if (kept !== null) store.values.set(planKey, typeof kept === 'string' ? kept : JSON.stringify(kept));
  if (decided !== undefined) store.values.set(decidedKey, decided);
  const getComment = async (at: object) => {
    if (typeof comment === 'number') throw apiError(comment);
    expect(at).toEqual({ owner: 'acme', repo: 'shop', comment_id: 9 });
    return { data: { body, updated_at: 't', created_at: 't', ...comment } };
  };
  const octokit = { rest: { issues: { getComment }, pulls: { getReviewComment: getComment } } };
  const event = { name: 'issue_comment', delivery_id: null, payload: { comment: { body } } };
  const asked = askedFor({ kind: 'approve', text: hash, ...trigger });
  const ports = { octokit, store, settings: { dryRun } };
  const decision = await decideProposal(event, eventRequest(asked, judged), ports as never);
  return { decision, kept: store.values.get(decidedKey) ?? null };
}
const told = (words: string, kept: string | null = null) => ({
  decision: { kind: 'reply', text: words },
  kept,
});
const again = '`/bot plan` makes a new one.';

test('a plan is approved by its hash on the commit for which it was made', async () => {
  expect(await decide()).toEqual({ decision: { kind: 'approved', proposal }, kept: null });
  expect(await decide({ trigger: { comment: { id: 9, kind: 'review_comment' } } })).toEqual({
    decision: { kind: 'approved', proposal },
    kept: null,
  });
});

test('a plan for an issue is bound to the head of the default branch', async () => {
  const place = { ...eventRequest(askedFor()).facts, pull: null };
  const made = { ...proposal, head_sha: baseSha };
  expect(await decide({ kept: made, judged: { facts: place } })).toEqual({
    decision: { kind: 'approved', proposal: made },
    kept: null,
  });
});

test('an unknown hash is left to other decisions', async () => {
  const nothing = { decision: null, kept: null };
  expect(await decide({ kept: null })).toEqual(nothing);
  expect(await decide({ kept: '{"version":2}' })).toEqual(nothing);
  expect(await decide({ trigger: { text: 'fedcba9876543210' } })).toEqual(nothing);
  expect(await decide({ trigger: { text: 'yes' } })).toEqual(nothing);
  expect(await decide({ trigger: { thread: { kind: 'pull_request', number: 6 } } })).toEqual(nothing);
});

test('only a person with write permission decides', async () => {
  const by = (type: 'User' | 'Bot', permission: 'write' | 'read') => ({
    authorization: { kind: 'allowed' as const, requester: { login: 'ada', id: 7, type, permission } },
  });
  const refused = told('Only a person with write permission can decide on a plan.');
  expect(await decide({ judged: by('Bot', 'write') })).toEqual(refused);
  expect(await decide({ judged: by('User', 'read') })).toEqual(refused);
});

test('a plan is decided only once', async () => {
  const approved = '{"by":"rex","verdict":"approve"}';
  const denied = '{"by":"rex","verdict":"deny"}';
  expect(await decide({ decided: approved })).toEqual(
    told(`rex approved the plan \`${hash}\` already. It is carried out once; ${again}`, approved),
  );
  expect(await decide({ decided: denied })).toEqual(
    told(`rex dropped the plan \`${hash}\`; ${again}`, denied),
  );
});

test('an edited or deleted comment, or one without an id, decides nothing', async () => {
  const edited = told('The comment was edited. An edited comment decides nothing: write a new one.');
  expect(await decide({ comment: { body: 'else' } })).toEqual(edited);
  expect(await decide({ comment: { updated_at: 'later' } })).toEqual(edited);
  expect(await decide({ comment: 404 })).toEqual(told('The comment was deleted, so nothing was done.'));
  await expect(decide({ comment: 500 })).rejects.toThrow('HTTP 500');
  expect(await decide({ trigger: { comment: null } })).toEqual(
    told('Decide on an approval in a comment of its own, not in a review.'),
  );
});

test('a denial drops the plan and is stored, except in a dry run', async () => {
  const words = `The plan \`${hash}\` is dropped. Nothing was done.`;
  const trigger = { kind: 'deny' as const };
  expect(await decide({ trigger })).toEqual(told(words, '{"by":"ada","verdict":"deny"}'));
  expect(await decide({ trigger, dryRun: true })).toEqual(told(words));
});

test('a plan lapses when the head moves', async () => {
  const old = 'c'.repeat(40);
  expect(await decide({ kept: { ...proposal, head_sha: old } })).toEqual(
    told(
      `The plan has lapsed: it was made on ${'c'.repeat(12)}, and the head is ${'b'.repeat(12)} now. Nothing was done; ${again}`,
    ),
  );
});

test('the run that carries it out gets the order, then the text of the plan', () => {
  expect(carryOut(proposal, 'rex')).toBe(
    'Carry out the plan below, which rex approved: all of it, and nothing else. Where a step turns out to be wrong or impossible, leave it, do the rest that does not need it, and say so.\n\nThe plan.',
  );
});
