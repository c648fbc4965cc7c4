import { RequestError } from '@octokit/request-error';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { checkConclusion, checkTitle } from '../../../src/reporting/check-run/check-output.ts';
import { persist, type RunCheckPorts, startRunCheck } from '../../../src/reporting/check-run/run-check.ts';
import { dieAtEveryWrite } from '../dying.ts';
import { finding, sampleOutcome } from '../samples.ts';
import { ownLogin, type Scene, silentLog, startWorld, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The ports of a run whose token may do that. */
async function portsOf(
  scene: Scene,
  kind: 'check' | 'status',
  permissions: Record<string, 'read' | 'write'>,
  change: Partial<RunCheckPorts> = {},
): Promise<RunCheckPorts> {
  const token = world.github.createToken({ actor: ownLogin, permissions });
  return {
    octokit: createOctokit({ apiUrl: world.github.apiUrl, token, wait: async () => {} }),
    ...{ kind, store: scene.store, ownLogin, log: silentLog, runUrl: 'https://ci.test/1', config: {} },
    pullRequestDiff: (await scene.ports()).pullRequestDiff,
    wait: async () => {},
    ...change,
  };
}

let runs = 0;
const reviewOf = (scene: Scene) =>
  scene.plan({ run_id: `run_check_${++runs}`, profile: 'review', verb: 'review' });

const published = { issues: [], downgrades: [], failures: [], patch: '', report: 'The report.' };
const many = (count: number): Finding[] =>
  Array.from({ length: count }, (_, index) => ({
    ...finding,
    ...{ path: 'src/a.js', line: index + 1, severity: 'medium' as const, title: `Number ${index + 1}` },
  }));

test('displays a run on its commit during the run, then with all findings, also if started twice', async () => {
  const scene = await world.scene();
  const plan = reviewOf(scene);
  let now = 0;
  const ports = await portsOf(scene, 'check', { checks: 'write' }, { now: () => now });
  const updates: string[] = [];
  const updated = Promise.withResolvers<void>();
  const stop = world.github.onRequest(({ method, path }) => {
    if (method !== 'PATCH') return;
    updates.push(path);
    updated.resolve();
  });
  await startRunCheck(plan, ports);
  const check = await startRunCheck(plan, ports);
  now = 31_000;
  check?.update({ type: 'turn.started', turn: 3 });
  now = 32_000;
  check?.update({ type: 'turn.started', turn: 4 });
  await updated.promise;
  const outcome = sampleOutcome({ profile: 'review', findings: many(120) });
  await check?.finish(outcome, published);
  stop();
  const [run, ...others] = scene.repository.checkRuns();
  expect({
    others,
    // One while it went on, three with annotations.
    updates: updates.length,
    ...{ name: run?.name, status: run?.status, conclusion: run?.conclusion, title: run?.title },
    annotated: run?.annotations.map(({ start_line }) => start_line),
    first: run?.annotations[0],
    table: run?.summary?.includes('| medium |'),
    actions: run?.actions,
  }).toEqual({
    others: [],
    updates: 4,
    ...{
      name: 'anode review',
      status: 'completed',
      conclusion: 'neutral',
      title: '120 findings: 120 medium',
    },
    annotated: many(120).map(({ line }) => line),
    first: {
      ...{ path: 'src/a.js', start_line: 1, end_line: 1, annotation_level: 'warning' },
      ...{ title: 'medium: Number 1', message: finding.body },
    },
    table: true,
    actions: ['retry', 'fix'],
  });
});

test('counts open findings of a review: carried ones, but no dismissed ones', async () => {
  const scene = await world.scene();
  const plan = { ...reviewOf(scene), verb: 'answer' as const, work: 'review' };
  const outcome = sampleOutcome({ profile: 'review', findings: many(1) });
  const carried = { ...finding, path: 'src/b.js', line: 2, title: 'Carried' };
  const told = [
    { id: 'f1', state: 'carried', finding: carried, thread: 5, by: null },
    { id: 'f2', state: 'dismissed', finding: { ...finding, title: 'Let go' }, thread: 6, by: 'ada' },
  ] as const;
  const check = await startRunCheck(plan, await portsOf(scene, 'check', { checks: 'write' }));
  await check?.finish(outcome, { ...published, told });
  const [run] = scene.repository.checkRuns();
  expect([
    run?.name,
    run?.title,
    run?.summary?.match(/Number 1|Carried|Let go/g),
    run?.annotations.map(({ path }) => path),
  ]).toEqual([...['anode review', '1 finding: 1 high', ['Carried'], ['src/b.js']]]);
});

test('says why the changes are no commit, as the report does', async () => {
  const scene = await world.scene();
  const plan = { ...reviewOf(scene), verb: 'fix' as const, work: undefined };
  const check = await startRunCheck(plan, await portsOf(scene, 'check', { checks: 'write' }));
  const withheld = 'Not committed: the pull request is merged.';
  await check?.finish(sampleOutcome({ findings: [] }), { ...published, withheld });
  const [run] = scene.repository.checkRuns();
  expect([run?.title, run?.conclusion]).toEqual(['Not committed: the pull request is merged', 'success']);
});

test('does not resend annotations of an earlier publisher', async () => {
  const scene = await world.scene();
  const plan = reviewOf(scene);
  const ports = await portsOf(scene, 'check', { checks: 'write' });
  const outcome = sampleOutcome({ profile: 'review', findings: many(70) });
  for (let time = 0; time < 2; time++) await (await startRunCheck(plan, ports))?.finish(outcome, published);
  expect(scene.repository.checkRuns().map(({ annotations }) => annotations.length)).toEqual([70]);
});

test.each([
  ['check', 'checks', { before: 3, after: 3 }, ['completed', 'neutral', 70]],
  ['status', 'statuses', { before: 2, after: 2 }, ['success', '70 findings: 70 medium']],
] as const)('A %s is written once, also if the run is killed at any call and started again', async (kind, permission, deaths, stands) => {
  const scene = await world.scene();
  const plan = reviewOf(scene);
  const token = world.github.createToken({ actor: ownLogin, permissions: { [permission]: 'write' } });
  const ports = await portsOf(scene, kind, {});
  const outcome = sampleOutcome({ profile: 'review', findings: many(70) });
  const whole = async (dying: RunCheckPorts) =>
    (await startRunCheck(plan, dying))?.finish(outcome, published);
  const died = await dieAtEveryWrite({ apiUrl: world.github.apiUrl, token }, () => ports, whole);
  const [run, ...more] = scene.repository.checkRuns();
  const statuses = scene.repository.statuses().map(({ state, description }) => [state, description]);
  const told = kind === 'check' ? [run?.status, run?.conclusion, run?.annotations.length] : statuses.at(-1);
  expect([died.deaths, told, more, statuses.length]).toEqual([deaths, stands, [], kind === 'check' ? 0 : 2]);
});

test('falls back to a commit status, then to nothing', async () => {
  const scene = await world.scene();
  const plan = reviewOf(scene);
  const ports = await portsOf(scene, 'check', { statuses: 'write' });
  const outcome = sampleOutcome({ profile: 'review', findings: [] });
  await (await startRunCheck(plan, ports))?.finish(outcome, published);
  expect(scene.repository.statuses()).toEqual([
    { sha: scene.head, state: 'pending', context: 'anode/review', description: 'Running' },
    { sha: scene.head, state: 'success', context: 'anode/review', description: 'Nothing found' },
  ]);
  const { data } = await ports.octokit.rest.repos.listCommitStatusesForRef({
    ...{ owner: plan.repository.owner, repo: plan.repository.name, ref: scene.head },
  });
  expect(data.map(({ target_url }) => target_url)).toEqual(['https://ci.test/1', 'https://ci.test/1']);
  const refused = await portsOf(scene, 'check', { contents: 'write' });
  expect(await startRunCheck(reviewOf(scene), refused)).toBe(null);
});

test('does not fail the commit if the run failed', async () => {
  const scene = await world.scene();
  const check = await startRunCheck(
    scene.plan({ run_id: 'run_broken' }),
    await portsOf(scene, 'check', { checks: 'write' }),
  );
  await check?.fail('Something broke.');
  expect(
    scene.repository
      .checkRuns()
      .map(({ status, conclusion, title, summary }) => [status, conclusion, title, summary]),
  ).toEqual([['completed', 'neutral', 'Failed', 'Something broke.']]);
});

test('fails the commit only for findings that the configuration blocks', () => {
  const rows = [
    ['success', 'review', [], {}],
    ['success', 'review', ['critical'], {}],
    ['success', 'review', ['high'], { requestChanges: true }],
    ['limit', 'review', ['high'], { requestChanges: true }],
    ['success', 'review', ['medium'], { requestChanges: true }],
    ['success', 'review', ['medium'], { requestChanges: 'medium' }],
    ['failure', 'review', ['high'], { requestChanges: true }],
    ['waiting', 'craft', [], {}],
    ['success', 'craft', [], {}],
    ['cancelled', 'craft', [], {}],
  ] as const;
  const told = rows.map(([conclusion, profile, open, settings]) => [
    checkConclusion({ conclusion, profile }, open, settings),
    checkTitle({ conclusion, profile, stop: null }, open),
  ]);
  const lost = { conclusion: 'success', profile: 'review', unreported: 'report_findings' } as const;
  told.push([checkConclusion(lost, [], {}), checkTitle({ ...lost, stop: null }, [])]);
  expect(told).toEqual([
    ['success', 'Nothing found'],
    ['neutral', '1 finding: 1 critical'],
    ['failure', '1 finding: 1 high'],
    ['failure', 'Stopped at a limit. 1 finding: 1 high'],
    ['neutral', '1 finding: 1 medium'],
    ['failure', '1 finding: 1 medium'],
    ['neutral', 'Failed. 1 finding: 1 high'],
    ['neutral', 'Waiting for an answer'],
    ['success', 'Done'],
    ['cancelled', 'Cancelled'],
    ['neutral', 'Nothing was reported'],
  ]);
});

const error = (status: number) =>
  new RequestError(`answered ${status}`, status, {
    request: { method: 'POST', url: 'https://api.test', headers: {} },
  });

/** What came of calls of which those that `answers` names fail. */
async function trying(answers: readonly (number | Error)[], waits?: readonly number[]) {
  const told: unknown[] = [];
  const log = { warn: (facts: object, words: string) => told.push([facts, words]) };
  const wait = async (milliseconds: number) => told.push(milliseconds);
  let calls = 0;
  const taken = await persist(
    'the check',
    { run_id: 'r' },
    { log: log as never, wait, ...(waits && { waits }) },
    async (again) => {
      const answer = answers[calls++];
      if (typeof answer === 'number') throw error(answer);
      if (answer !== undefined) throw answer;
      return again;
    },
  );
  return [taken, ...told];
}
const logged = (status: number) => [
  { run: 'r', status, message: `answered ${status}` },
  'the check was not taken',
];

test.each([
  ['is taken at once', [], undefined, [{ done: false }]],
  ['is taken the second time', [502], undefined, [{ done: true }, 1_000]],
  ['is taken the fourth time', [502, 500, 503], undefined, [{ done: true }, 1_000, 4_000, 15_000]],
  ['is not taken four times', [502, 502, 502, 502], undefined, ['down', 1_000, 4_000, 15_000, logged(502)]],
  ['may be tried once', [503], [], ['down', logged(503)]],
  ['is refused', [403], undefined, ['refused', logged(403)]],
  ['is refused once GitHub is up again', [500, 422], [7], ['refused', 7, logged(422)]],
])('returns the result of a write that %s', async (_, answers, waits, came) => {
  expect(await trying(answers, waits)).toEqual(came);
});

test('throws a defect without a retry', async () => {
  const defect = new TypeError('x is not a function');
  await expect(trying([defect])).rejects.toBe(defect);
});
