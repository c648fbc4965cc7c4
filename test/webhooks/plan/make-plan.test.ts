import { expect, it } from 'vitest';
import type { Requester, RunPlan } from '../../../src/contract/plan.ts';
import type { PullFacts } from '../../../src/contract/thread.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { makePlan, type PlanFacts } from '../../../src/webhooks/plan/make-plan.ts';
import { waitingSession } from '../../reporting/samples.ts';

const ada: Requester = { login: 'ada', id: 7, type: 'User', permission: 'write' };
const trigger: Trigger = {
  kind: 'task',
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'pull_request', number: 5 },
  actor: ada,
  text: 'fix it',
  note: null,
  comment: null,
  location: null,
  at: '2026-01-02T03:04:05.000Z',
  head_sha: null,
  installation_id: null,
};
const pull: PullFacts = {
  number: 5,
  title: 'T',
  state: 'open',
  head: { ref: 'topic', sha: 'b'.repeat(40), repository: 'Acme/Shop' },
  base: { ref: 'main', sha: 'a'.repeat(40) },
};
const facts: PlanFacts = {
  trigger,
  source: { kind: 'app', delivery_id: null },
  repository: { owner: 'acme', name: 'shop', default_branch: 'main', clone_url: 'c', private: false },
  baseBranch: 'main',
  baseHead: 'a'.repeat(40),
  pull,
  title: 'T',
  requester: ada,
  config: {},
  configSource: null,
  sandbox: 'required',
  prompt: 'fix it',
  threadContext: '',
  attachments: [],
  waiting: null,
  ids: { runId: 'r', sessionId: 's' },
  now: new Date('2026-01-02T03:04:05Z'),
};
const issue: Trigger = { ...trigger, thread: { kind: 'issue', number: 9 } };
const bot: Requester = { login: 'renovate[bot]', id: 1, type: 'Bot', permission: 'none' };

it.each<[string, Partial<PlanFacts>, unknown, boolean]>([
  [
    'a branch of the repository',
    {},
    { kind: 'branch', branch: 'topic', expected_sha: 'b'.repeat(40) },
    false,
  ],
  [
    'an allowed bot',
    { requester: bot },
    { kind: 'branch', branch: 'topic', expected_sha: 'b'.repeat(40) },
    false,
  ],
  [
    'a fork',
    { pull: { ...pull, head: { ...pull.head, repository: 'rex/shop' } } },
    { kind: 'none', reason: 'The pull request comes from a fork, which is never pushed to.' },
    true,
  ],
  [
    'a fork that is gone',
    { pull: { ...pull, head: { ...pull.head, repository: null } } },
    { kind: 'none', reason: 'The pull request comes from a fork, which is never pushed to.' },
    true,
  ],
  [
    'a closed pull request',
    { pull: { ...pull, state: 'closed' } },
    { kind: 'none', reason: 'The pull request is closed.' },
    false,
  ],
  [
    'a pull request of the default branch',
    { pull: { ...pull, head: { ...pull.head, ref: 'main' }, base: { ...pull.base, ref: 'release' } } },
    {
      kind: 'none',
      reason: "The pull request's branch is main, the default branch, which is never pushed to directly.",
    },
    false,
  ],
  [
    'a review',
    { trigger: { ...trigger, kind: 'review' } },
    { kind: 'none', reason: '`review` only reads.' },
    true,
  ],
  [
    'a task on an issue',
    { trigger: issue, pull: null, config: { branch: { prefix: 'bot/' } } },
    {
      kind: 'new_branch',
      branch: 'bot/issue-9-20260102-030405',
      base: 'main',
      expected_sha: 'a'.repeat(40),
      closes: null,
    },
    false,
  ],
  [
    'an implementation',
    { trigger: { ...issue, kind: 'implement' }, pull: null },
    {
      kind: 'new_branch',
      branch: 'anode/issue-9-20260102-030405',
      base: 'main',
      expected_sha: 'a'.repeat(40),
      closes: 9,
    },
    false,
  ],
])('decides where the changes of %s may go', (_title, change, push, read_only) => {
  const plan = makePlan({ ...facts, ...change });
  expect({ push: plan.push, read_only: plan.read_only }).toEqual({ push, read_only });
});

it('a closed pull request has its end in the plan, with the current head of its base', () => {
  const closed = { ...pull, state: 'closed' as const };
  const end = (change: Partial<PlanFacts>) => makePlan({ ...facts, ...change }).ended;
  expect({
    open: end({}),
    issue: end({ trigger: issue, pull: null }),
    closed: end({ pull: closed, currentBase: 'c'.repeat(40) }),
    merged: end({ pull: { ...closed, merged: { sha: 'd'.repeat(40) } }, currentBase: 'c'.repeat(40) }),
    'its base branch was deleted': end({ pull: closed, currentBase: null }),
  }).toEqual({
    open: undefined,
    issue: undefined,
    closed: { merged: null, base_head: 'c'.repeat(40) },
    merged: { merged: { sha: 'd'.repeat(40) }, base_head: 'c'.repeat(40) },
    'its base branch was deleted': { merged: null, base_head: pull.base.sha },
  });
});

it.each<[string, Partial<PlanFacts>]>([
  ['a fork', { pull: { ...pull, head: { ...pull.head, repository: 'rex/shop' } } }],
  ['a fork that is gone', { pull: { ...pull, head: { ...pull.head, repository: null } } }],
  ['a person with read permission', { requester: { ...ada, permission: 'read' } }],
  ['a person with triage permission', { requester: { ...ada, permission: 'triage' } }],
  ['a person without permission', { requester: { ...ada, permission: 'none' } }],
  ['an automated event', { trigger: { ...trigger, automated: true } }],
])('makes a run for %s read-only, whatever the configuration says', (_title, change) => {
  const config: PlanFacts['config'] = {
    permissions: { preset: 'unrestricted', rules: [{ tool: '*', action: 'allow' }] },
    protected: { allow: ['**'] },
    sandbox: 'off',
  };
  const plan = makePlan({ ...facts, ...change, config });
  expect({ read_only: plan.read_only, push: plan.push.kind, sandbox: plan.sandbox }).toEqual({
    read_only: true,
    push: 'none',
    sandbox: 'required',
  });
});

it('uses preset, profile, sandbox and limits of the configuration, and only a chosen model', () => {
  const config = {
    model: 'a/configured',
    profile: 'quick',
    sandbox: 'off' as const,
    permissions: { preset: 'yolo' },
    limits: { maxTurns: 2, maxCostUsd: 1.5 },
  };
  const given = { ...facts, config, sandbox: 'preferred' as const };
  const { model, profile, preset, sandbox, limits } = makePlan({ ...given, model: 'a/b' });
  expect({ model, profile, preset, sandbox, limits }).toEqual({
    model: 'a/b',
    profile: 'quick',
    preset: 'unrestricted',
    sandbox: 'preferred',
    limits: {
      max_turns: 2,
      max_tool_calls: null,
      max_tokens: null,
      max_cost_usd: 1.5,
      timeout_seconds: 1800,
    },
  });
});

it('makes no plan for help', () => {
  expect(() => makePlan({ ...facts, trigger: { ...trigger, kind: 'help' } })).toThrow(
    '`help` starts no run, so it has no plan.',
  );
});

it('an answer has the work of the resumed run', () => {
  const answer: Trigger = { ...trigger, kind: 'answer' };
  const waitingFor = (verb: RunPlan['verb'], profile = 'craft') => {
    const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };
    return { ...waitingSession({ ...makePlan(facts), verb }, question), profile };
  };
  const work = (waiting: PlanFacts['waiting']) => makePlan({ ...facts, trigger: answer, waiting }).work;
  expect([
    work(waitingFor('implement')),
    work(waitingFor('answer')),
    work(waitingFor('answer', 'review')),
    work(null),
    makePlan(facts).work,
  ]).toEqual(['implement', 'task', 'review', 'task', undefined]);
});
