import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { readRepositoryConfig } from '../../../src/webhooks/authorize/read-config.ts';
import { makePlan, type PlanFacts } from '../../../src/webhooks/plan/make-plan.ts';
import { savedSession } from '../decide-fixture.ts';
import { apiError, askedFor, baseSha, eventRequest, headSha } from '../event-request.ts';

const { facts: place } = eventRequest(askedFor());
const ada = { login: 'ada', id: 7, type: 'User', permission: 'write' } as const;
const facts: PlanFacts = {
  trigger: askedFor(),
  source: { kind: 'app', delivery_id: 'guid' },
  repository: place.repository,
  baseBranch: 'main',
  baseHead: baseSha,
  pull: place.pull,
  title: 'Two',
  requester: ada,
  config: {},
  configSource: null,
  sandbox: 'preferred',
  prompt: 'fix it',
  threadContext: 'context',
  attachments: [],
  waiting: null,
  ids: { runId: 'run_1', sessionId: 'session_1' },
  now: new Date('2026-01-02T03:04:05.678Z'),
};
const whole: RunPlan = {
  version: 1,
  run_id: 'run_1',
  session_id: 'session_1',
  source: { kind: 'app', delivery_id: 'guid' },
  installation_id: 42,
  repository: place.repository,
  thread: { kind: 'pull_request', number: 5, title: 'Two' },
  verb: 'task',
  prompt: 'fix it',
  thread_context: 'context',
  attachments: [],
  requester: ada,
  trigger_comment: { id: 9, kind: 'issue_comment' },
  triggered_at: '2026-01-02T03:04:05.000Z',
  checkout: { ref: 'refs/pull/5/head', sha: headSha, base_ref: 'main', base_sha: baseSha, fork: false },
  push: { kind: 'branch', branch: 'topic', expected_sha: headSha },
  profile: 'craft',
  model: null,
  preset: 'careful',
  read_only: false,
  sandbox: 'preferred',
  limits: {
    ...{ max_turns: null, max_tool_calls: null, max_tokens: null, max_cost_usd: null },
    timeout_seconds: 1800,
  },
  resume: null,
  config_text: null,
  config_file: null,
};

test('a plan has exactly these fields', () => {
  expect(makePlan(facts)).toEqual(whole);
  expect(Object.keys(makePlan(facts)).toSorted()).toEqual(Object.keys(whole).toSorted());
});

test('a plan also has each requested or configured value under its name', () => {
  const attachments = [{ name: 'image-1', url: 'u', place: { kind: 'description' as const } }];
  const chat = [{ index: 0, role: 'user', author: 'a', kind: 'description', at: '', text: 't' } as const];
  const triage = { labels: ['bug'], candidates: [3] };
  const more = {
    ...{ chat, attachments, triage, effort: 2, model: 'a/b', approvedPlan: 'f0', autorunDepth: 2 },
    ...{ config: { report: { links: ['x.test'] } }, configSource: { file: 'f', text: 't' } },
  };
  expect(makePlan({ ...facts, ...more })).toEqual({
    ...whole,
    ...{ chat, attachments, triage, effort: 2, model: 'a/b', approved_plan: 'f0', autorun_depth: 2 },
    ...{ link_hosts: ['x.test'], config_text: 't', config_file: 'f' },
  });
  const nothing = { effort: null, triage: null, model: null, approvedPlan: null, autorunDepth: null };
  expect(makePlan({ ...facts, ...nothing, config: { report: {} } })).toEqual(whole);
  expect(makePlan({ ...facts, effort: 0 })).toEqual({ ...whole, effort: 0 });
});

test('a checkout is of the base branch for an issue, and a fork is known whatever the case of its name', () => {
  const trusted = { ref: 'main', sha: headSha };
  const named = { ...place.repository, owner: 'Acme' };
  expect([
    makePlan({ ...facts, pull: null }).checkout,
    makePlan({ ...facts, pull: null, baseBranch: 'develop', trusted }).checkout,
    makePlan({ ...facts, trusted }).checkout,
    makePlan({ ...facts, trusted: null, repository: named }).checkout,
    makePlan({ ...facts, repository: { ...named, name: 'other' } }).checkout,
  ]).toStrictEqual([
    { ref: 'refs/heads/main', sha: baseSha, base_ref: 'main', base_sha: null, fork: false },
    { ref: 'refs/heads/develop', sha: baseSha, base_ref: 'develop', base_sha: null, fork: false, trusted },
    { ...whole.checkout, trusted },
    whole.checkout,
    { ...whole.checkout, fork: true },
  ]);
});

test('a plan names the limits that flags of its request set', () => {
  const byFlag = (flags: object) =>
    makePlan({ ...facts, trigger: askedFor({ kind: 'task', flags }) }).limits_by_flag;
  expect([byFlag({ turns: 2, budget: 1 }), byFlag({ turns: 2 }), byFlag({ effort: 'low' })]).toEqual([
    ['limits.maxTurns', 'limits.maxCostUsd'],
    ['limits.maxTurns'],
    undefined,
  ]);
});

test('only a review is limited to checks or to new changes', () => {
  const scope = (kind: 'review' | 'task', change: object = {}) => {
    const { checks_only, review_scope } = makePlan({ ...facts, trigger: askedFor({ kind, ...change }) });
    return [checks_only, review_scope];
  };
  expect([
    scope('review', { checksOnly: true }),
    scope('review', { incremental: true }),
    scope('review', { checksOnly: false, incremental: false }),
    scope('review'),
    scope('task', { checksOnly: true, incremental: true }),
  ]).toEqual([
    [true, undefined],
    [undefined, 'new'],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('each verb has its profile, its rights and the reason for not pushing', () => {
  const of = (kind: RunPlan['verb'], change: Partial<PlanFacts> = {}) => {
    const plan = makePlan({ ...facts, trigger: askedFor({ kind: kind as never }), ...change });
    const push = plan.push.kind === 'none' ? plan.push.reason : plan.push.kind;
    return [plan.verb, plan.profile, plan.read_only, push];
  };
  const config = { profile: 'quick' };
  expect([
    of('task'),
    of('task', { config }),
    of('fix', { config }),
    of('implement', { config }),
    of('review', { config }),
    of('ask', { config }),
    of('plan', { config }),
    of('describe', { config }),
    of('triage', { config }),
    of('improve', { config }),
    of('task', { requester: { ...ada, permission: 'read' } }),
  ]).toEqual([
    ['task', 'craft', false, 'branch'],
    ['task', 'quick', false, 'branch'],
    ['fix', 'quick', false, 'branch'],
    ['implement', 'quick', false, 'branch'],
    ['review', 'review', true, '`review` only reads.'],
    ['ask', 'ask', true, '`ask` only reads.'],
    ['plan', 'plan', true, '`plan` only reads.'],
    ['describe', 'describe', true, '`describe` only reads.'],
    ['triage', 'triage', true, '`triage` only reads.'],
    ['improve', 'quick', true, 'Only suggestions were asked for.'],
    ['task', 'craft', true, 'ada has no write permission.'],
  ]);
});

test('a resumed run has its conversation and its work', () => {
  const before: RunPlan = { ...whole, verb: 'answer', work: 'review' };
  const approval = { tool: 'bash', what: 'w', reason: 'r', hash: 'f0', call_id: 'c', waits: true };
  const resumed = (
    kind: 'answer' | 'approve' | 'deny' | 'continue',
    waiting: object,
    change: object = {},
  ) => {
    const plan = makePlan({
      ...{ ...facts, prompt: 'blue', trigger: askedFor({ kind, ...change }) },
      waiting: savedSession({ plan: before, ...waiting }),
    });
    return [plan.verb, plan.work, plan.session_id, plan.profile, plan.resume];
  };
  const resume = { run_id: 'run_0', session_id: 'session_0', answer: 'blue', answered_by: 'ada' };
  const went = (more: object) => ['answer', 'review', 'session_0', 'review', { ...resume, ...more }];
  const timer = { kind: 'deadline', run_id: 'run_0' };
  expect([
    resumed('answer', {}),
    resumed('answer', {}, { timer }),
    resumed('continue', { stopped: 'by a limit' }),
    resumed('approve', { approval }),
    resumed('deny', { approval }),
    resumed('answer', { approval }),
    resumed('approve', {}),
  ]).toEqual([
    went({}),
    went({ answered_by: '' }),
    went({ stopped: true }),
    went({ approval: { verdict: 'approve', hash: 'f0' } }),
    went({ approval: { verdict: 'deny', hash: 'f0' } }),
    went({}),
    went({}),
  ]);
});

test('a new branch closes the implemented issue, also in a resumed run', () => {
  const onIssue = { kind: 'issue', number: 6 } as const;
  const pushed = { kind: 'new_branch', branch: 'b', base: 'main', expected_sha: baseSha, closes: 4 } as const;
  const closes = (
    kind: 'task' | 'implement' | 'answer',
    push?: RunPlan['push'],
    work: RunPlan['verb'] = 'task',
  ) => {
    const plan = push === undefined ? null : savedSession({ plan: { ...whole, verb: work, push } });
    const trigger = askedFor({ kind, thread: onIssue });
    const made = makePlan({ ...facts, trigger, pull: null, waiting: plan }).push;
    return made.kind === 'new_branch' ? made.closes : made.kind;
  };
  expect([
    closes('task'),
    closes('implement'),
    closes('answer', pushed),
    closes('answer', pushed, 'implement'),
    closes('answer', whole.push),
  ]).toEqual([null, 6, 4, 6, null]);
});

test('a branch name can use each fact of a template', () => {
  const branch = (template: string, change: Partial<PlanFacts> = {}) => {
    const config = { branch: { template } };
    const { push } = makePlan({ ...facts, title: 'Add three', pull: null, config, ...change });
    return push.kind === 'new_branch' ? push.branch : push.kind;
  };
  const all =
    '{{prefix}}{{entityType}}/{{entityNumber}}/{{timestamp}}/{{date}}/{{slug}}/{{sha}}/{{requester}}/{{run}}';
  expect([
    branch(all),
    branch('{{entityType}}', { trigger: askedFor({ thread: { kind: 'issue', number: 6 } }) }),
    branch('{{date}}x'),
    branch('main'),
  ]).toEqual([
    'anode/pr/5/20260102-030405/20260102/add-three/aaaaaaa/ada/run_1',
    'issue',
    '20260102x',
    'main-20260102-030405',
  ]);
});

/** A GitHub whose repositories have these files, by `repository/path`. */
function contents(files: Readonly<Record<string, unknown>>, status = 404) {
  const asked: string[] = [];
  const getContent = async ({ owner, repo, path, ref }: Record<string, string>) => {
    asked.push(`${owner}/${repo} ${path} ${ref}`);
    const data = files[`${repo}/${path}`];
    if (data === undefined) throw apiError(status);
    return { data };
  };
  return { asked, octokit: { rest: { repos: { getContent } } } as never };
}
const file = (text: string) => ({
  ...{ type: 'file', encoding: 'base64', content: Buffer.from(text).toString('base64') },
});
const read = (octokit: never, name = 'shop') =>
  readRepositoryConfig(octokit, { owner: 'acme', name, branch: 'main' }, 'app');

test('a configuration is read from the folder, the preferred name first', async () => {
  const folder = ['.github/anode.json', '.github/anode.yaml', '.github/x'].map((path) => ({ path }));
  const { asked, octokit } = contents({
    'shop/.github': folder,
    'shop/.github/anode.yaml': file('model: a/b\n'),
    'shop/.github/anode.json': file('{}'),
  });
  const source = { file: '.github/anode.yaml', text: 'model: a/b\n' };
  const config = { model: 'a/b' };
  expect(await read(octokit)).toEqual({ config, source, layers: [{ name: source.file, config }] });
  expect(asked.toSorted()).toEqual([
    'acme/.github .github undefined',
    'acme/shop .github main',
    'acme/shop .github/anode.yaml main',
  ]);
});

test('without a file there is no configuration, and an entry that is no file is reported', async () => {
  const nothing = { config: {}, source: null, layers: [] };
  const listed = { 'shop/.github': [{ path: '.github/anode.yml' }] };
  expect([
    await read(contents({}).octokit),
    await read(contents({ 'shop/.github': {} }).octokit),
    await read(contents(listed).octokit),
  ]).toEqual([nothing, nothing, nothing]);
  const problem = '.github/anode.yml: not a regular file of at most 1 MB.';
  const odd = [[], { ...file(''), type: 'symlink' }, { ...file(''), encoding: 'none' }];
  for (const data of odd)
    await expect(read(contents({ ...listed, 'shop/.github/anode.yml': data }).octokit)).rejects.toThrow(
      problem,
    );
  await expect(read(contents({}, 500).octokit)).rejects.toThrow('HTTP 500');
});

test('in a folder of a thousand entries each name is tried, since GitHub lists no more', async () => {
  const folder = (length: number) => Array.from({ length }, (_, index) => ({ path: `.github/${index}` }));
  const own = { '.github/.github/anode.json': file('{"model":"a/b"}') };
  const read999 = contents({ ...own, '.github/.github': folder(999) });
  const read1000 = contents({ ...own, '.github/.github': folder(1_000) });
  expect([
    (await read(read999.octokit, '.github')).config,
    (await read(read1000.octokit, '.github')).config,
  ]).toEqual([{}, { model: 'a/b' }]);
  // The organisation's own repository has nothing above it.
  expect(read999.asked).toEqual(['acme/.github .github main']);
});

test('layers are listed by name, the strongest first', async () => {
  const yml = [{ path: '.github/anode.yml' }];
  const own = { 'shop/.github': yml, 'shop/.github/anode.yml': file('model: a/own\n') };
  const organisation = {
    '.github/.github': yml,
    '.github/.github/anode.yml': file('model: a/all\nprofile: quick\n'),
  };
  const below = { name: 'acme/.github: .github/anode.yml', config: { model: 'a/all', profile: 'quick' } };
  expect([
    await read(contents({ ...own, ...organisation }).octokit),
    await read(contents(organisation).octokit),
  ]).toEqual([
    {
      config: { model: 'a/own', profile: 'quick' },
      source: {
        file: `.github/anode.yml over ${below.name}`,
        text: '{"model":"a/own","profile":"quick"}',
      },
      layers: [{ name: '.github/anode.yml', config: { model: 'a/own' } }, below],
    },
    {
      config: below.config,
      source: { file: below.name, text: 'model: a/all\nprofile: quick\n' },
      layers: [below],
    },
  ]);
});
