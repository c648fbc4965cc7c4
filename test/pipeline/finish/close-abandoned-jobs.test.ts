import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { closeAbandonedJobs } from '../../../src/pipeline/finish/close-abandoned-jobs.ts';
import { startRunCheck } from '../../../src/reporting/check-run/run-check.ts';
import { markedBody } from '../../../src/reporting/posting/own-comment.ts';
import { renderProgress, startingView } from '../../../src/reporting/progress/render-progress.ts';
import { ownLogin, type Scene, silentLog, startWorld, type World } from '../../reporting/scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const page = (job: number) => `https://github.test/acme/shop/actions/runs/${job}`;
const closed = (job: number) =>
  `**Failed.** The job that worked on this ended in the middle of it, and could not say so.\n\nTo go on: look into the [log of the run](${page(job)}) for the cause, then ask again.`;

/** Writes the progress comment of a run in a job, and says what stands in our comments since. */
function progressOf(scene: Scene, run_id: string, job: number, author = ownLogin) {
  const body = markedBody(scene.plan({ run_id }), 'progress', renderProgress(startingView, page(job)));
  scene.repository.comment(1, { author, body });
}
const told = ({ repository }: Scene) =>
  repository
    .comments(1)
    .slice(1)
    .map(({ body }) => body.slice(body.indexOf('\n') + 1));

/** Looks after the thread as a job does that was given these rights. */
async function look(
  scene: Scene,
  plan: RunPlan,
  permissions: Readonly<Record<string, 'read' | 'write'>>,
  now = Date.now,
) {
  const warned: unknown[] = [];
  const token = world.github.createToken({ actor: ownLogin, permissions });
  const octokit = createOctokit({ apiUrl: world.github.apiUrl, token, wait: async () => {} });
  const log = { ...silentLog, warn: (...of: unknown[]) => void warned.push(of) };
  const github = { reader: octokit, writer: octokit };
  await closeAbandonedJobs(plan, { github, store: scene.store, ownLogin, log, now });
  return warned;
}

test('comment and check of an ended job are closed, and no others', async () => {
  const scene = await world.scene();
  const plan = scene.plan({ run_id: 'run_now', trigger_comment: null });
  const rights = { actions: 'read', checks: 'write', issues: 'write', pull_requests: 'write' } as const;
  const octokit = createOctokit({
    apiUrl: world.github.apiUrl,
    token: world.github.createToken({ actor: ownLogin, permissions: rights }),
  });
  scene.repository.runWorkflow(3, 'completed');
  scene.repository.runWorkflow(4, 'in_progress');
  for (const [run_id, job] of [
    ['run_dead', 3],
    ['run_alive', 4],
  ] as const) {
    progressOf(scene, run_id, job);
    const ports = { ...(await scene.ports()), octokit, kind: 'check' as const, runUrl: page(job) };
    await startRunCheck(scene.plan({ run_id }), ports);
  }
  progressOf(scene, 'run_now', 3);
  progressOf(scene, 'run_theirs', 3, 'eve');
  const before = told(scene);
  expect(await look(scene, plan, rights)).toEqual([]);
  expect([
    told(scene),
    scene.repository.checkRuns().map(({ status, conclusion }) => [status, conclusion]),
  ]).toEqual([
    [closed(3), ...before.slice(1)],
    [
      ['completed', 'neutral'],
      ['in_progress', null],
    ],
  ]);
  expect(scene.repository.reactions({ id: scene.commentId })).toEqual([]);
});

test('without the permission to read workflows a comment stays open, as its job may be active', async () => {
  const scene = await world.scene();
  progressOf(scene, 'run_unknown', 5);
  const before = told(scene);
  await look(scene, scene.plan({ run_id: 'run_now' }), { issues: 'write', pull_requests: 'write' });
  expect(told(scene)).toEqual(before);
});

test('without that permission a comment that is older than any job is closed', async () => {
  const scene = await world.scene();
  progressOf(scene, 'run_old', 5);
  const later = () => Date.now() + 6 * 24 * 3_600_000;
  await look(scene, scene.plan({ run_id: 'run_now' }), { issues: 'write', pull_requests: 'write' }, later);
  expect(told(scene)).toEqual([closed(5)]);
});

test('an unreadable check does not prevent closing, and a waiting run stays open', async () => {
  const scene = await world.scene();
  scene.repository.runWorkflow(3, 'completed');
  progressOf(scene, 'run_dead', 3);
  const rights = { actions: 'read', issues: 'write', pull_requests: 'write' } as const;
  const waiting = renderProgress({ ...startingView, state: 'waiting' }, page(3));
  scene.repository.comment(1, {
    author: ownLogin,
    body: markedBody(scene.plan({ run_id: 'run_waits' }), 'progress', waiting),
  });
  const warned = await look(scene, scene.plan({ run_id: 'run_now' }), rights);
  expect([told(scene), warned]).toEqual([[closed(3), waiting], []]);
});

test('a refusal of GitHub is logged, and the remaining jobs are closed', async () => {
  const scene = await world.scene();
  scene.repository.runWorkflow(3, 'completed');
  progressOf(scene, 'run_dead', 3);
  const rights = { actions: 'read', issues: 'write', pull_requests: 'write' } as const;
  world.github.failNext({ method: 'PATCH', status: 410 });
  expect(await look(scene, scene.plan({ run_id: 'run_now' }), rights)).toEqual([
    [{ run: 'run_now', status: 410 }, 'The open entries of an ended job could not be closed.'],
  ]);
});
