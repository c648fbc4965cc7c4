import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/contract/run-event.ts';
import type { Clock } from '../../../src/github/clock.ts';
import { type ContentBudget, createContentBudget } from '../../../src/github/content-budget.ts';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import type { ProgressComment } from '../../../src/reporting/posting/ports.ts';
import { editInterval, startProgressComment } from '../../../src/reporting/progress/progress-comment.ts';
import { publish } from '../../../src/reporting/publish.ts';
import { renderEnd } from '../../../src/reporting/report/render-end.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { mostWithin } from '../../support/most-within.ts';
import { sampleOutcome } from '../samples.ts';
import { ownLogin, type Scene, silentLog, startWorld, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

async function start(
  scene: Scene,
  clock: Clock,
  runId = 'run_1',
  budget?: ContentBudget,
  notify: 'edit' | 'comment' = 'edit',
): Promise<ProgressComment> {
  const progress = await startProgressComment({
    octokit: scene.octokit,
    plan: scene.plan({ run_id: runId }),
    ownLogin,
    runUrl: null,
    log: silentLog,
    clock,
    notify,
    ...(budget === undefined ? {} : { budget }),
  });
  if (progress === null) throw new Error('There is a thread, so there is a comment.');
  return progress;
}

const turn = (number: number): RunEvent => ({ type: 'turn.started', turn: number });
const bodies = (scene: Scene) =>
  scene.repository
    .comments(1)
    .slice(1)
    .map(({ body }) => body);
const edits = () => world.github.requests.filter(({ method }) => method === 'PATCH').length;
const body = (facts: string) =>
  `<!-- anode:progress v1 run=run_1 -->\n**Working on it.**\n\n<sub>${facts}</sub>`;

test('posts the comment at once, updates it within limits, and ends as the report', async () => {
  const scene = await world.scene();
  const clock = manualClock();
  const progress = await start(scene, clock);
  const before = edits();
  const seen = [bodies(scene)];
  progress.update(turn(1));
  progress.update({ type: 'text.delta', text: 'hm' });
  progress.update(turn(2));
  clock.advance(2_999);
  seen.push(bodies(scene));
  clock.advance(1);
  await world.github.waitFor(() => edits() === before + 1);
  seen.push(bodies(scene));
  progress.update(turn(3));
  const posted = await progress.finish('The report.');
  clock.advance(60_000);
  seen.push(bodies(scene));
  expect({ seen, edits: edits() - before, same: posted.id === progress.id }).toEqual({
    seen: [
      [body('Starting')],
      [body('Starting')],
      [body('Turn 2')],
      ['<!-- anode:progress v1 run=run_1 -->\nThe report.'],
    ],
    edits: 2,
    same: true,
  });
});

test('finds the comment at a second attempt, and ignores markers of other accounts', async () => {
  const scene = await world.scene();
  scene.repository.comment(1, { body: body('Starting'), author: 'mallory' });
  const first = await start(scene, manualClock());
  const second = await start(scene, manualClock());
  const other = await start(scene, manualClock(), 'run_2');
  expect([second.id === first.id, other.id === first.id, scene.repository.comments(1).length]).toEqual([
    true,
    false,
    4,
  ]);
});

test('drops a failed edit until the next change, without breaking the run', async () => {
  const scene = await world.scene();
  const clock = manualClock();
  const progress = await start(scene, clock);
  world.github.failNext({ method: 'PATCH', status: 502 });
  const before = edits();
  progress.update(turn(1));
  clock.advance(3_000);
  await world.github.waitFor(() => edits() === before + 1);
  progress.update(turn(2));
  await progress.finish('The report.');
  expect(bodies(scene)).toEqual(['<!-- anode:progress v1 run=run_1 -->\nThe report.']);
});

test('closes the comment after a crash, never over a report, and replaces a deleted one', async () => {
  const scene = await world.scene();
  const crashed = await start(scene, manualClock());
  await crashed.fail(renderEnd({ kind: 'failed', message: 'The disk is full, @ada.' }, null));
  const finished = await start(scene, manualClock(), 'run_2');
  scene.repository.deleteComment(finished.id, { author: 'ada' });
  await finished.finish('The report.');
  await finished.fail('too late');
  expect(bodies(scene)).toEqual([
    [
      '<!-- anode:progress v1 run=run_1 -->',
      '**Failed.** The disk is full, @\u200bada.',
      '',
      'To go on: look into the log of the run for the cause, then ask again.',
    ].join('\n'),
    '<!-- anode:progress v1 run=run_2 -->\nThe report.',
  ]);
});

test('replaces the progress by the report, also after the first token expired', async () => {
  const scene = await world.scene();
  const progress = await start(scene, manualClock());
  const { octokit } = await world.scene();
  world.github.world.tokens.delete(scene.token);
  const published = await publish(sampleOutcome(), scene.plan(), await scene.ports({ progress, octokit }));
  expect([bodies(scene), published.comment]).toEqual([
    [`<!-- anode:progress v1 run=run_1 -->\n${published.report}`],
    { id: progress.id, url: progress.url },
  ]);
});

test('increases the interval of edits', () => {
  expect([0, 19, 20, 59, 60].map(editInterval)).toEqual([3_000, 3_000, 10_000, 10_000, 30_000]);
});

test('keeps forty concurrent runs within GitHub’s limit, and ends each', async () => {
  const scene = await world.scene();
  const clock = manualClock();
  const shared = createContentBudget(clock);
  const times: number[] = [];
  const budget: ContentBudget = {
    rest: shared.rest,
    async take(kind, signal) {
      const taken = await shared.take(kind, signal);
      if (taken) times.push(clock.now());
      return taken;
    },
  };
  const posting = { budget, redact: (text: string) => text };
  const octokit = createOctokit({ apiUrl: world.github.apiUrl, token: scene.token, posting });
  const writes = () => world.github.requests.filter(({ method }) => method !== 'GET').length;
  const before = writes();
  const pass = async (milliseconds: number, step: number) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      clock.advance(step);
      await new Promise(setImmediate);
    }
  };
  const runs = Array.from({ length: 40 }, (_, index) =>
    start({ ...scene, octokit }, clock, `run_${index}`, budget),
  );
  let started = 0;
  for (const run of runs) void run.then(() => (started += 1));
  while (started < 40) await pass(1_000, 1_000);
  const comments = await Promise.all(runs);
  for (let number = 1; number <= 60; number += 1) {
    for (const comment of comments) comment.update(turn(number));
    await pass(10_000, 2_000);
  }
  const edited = times.length - 40;
  let ended = 0;
  for (const comment of comments) void comment.finish('The report.').then(() => (ended += 1));
  while (ended < 40) await pass(1_000, 1_000);
  expect(mostWithin(times, 60_000)).toBeLessThanOrEqual(80);
  expect(mostWithin(times, 3_600_000)).toBeLessThanOrEqual(500);
  expect(edited).toBeGreaterThan(40);
  expect(writes() - before).toBe(times.length);
  expect(bodies(scene).filter((text) => text.endsWith('The report.'))).toHaveLength(40);
});

test('posts the report as a new comment if configured, and deletes the progress', async () => {
  const scene = await world.scene();
  const progress = await start(scene, manualClock(), 'run_1', undefined, 'comment');
  const first = await progress.finish('The report.');
  const again = await start(scene, manualClock(), 'run_1', undefined, 'comment');
  const second = await again.finish('The report.');
  expect([bodies(scene), second.id === first.id, progress.isClosed()]).toEqual([
    ['<!-- anode:report v1 run=run_1 -->\nThe report.'],
    true,
    true,
  ]);
});

test('finds our comment behind a hundred others, and ignores other versions', async () => {
  const scene = await world.scene();
  scene.repository.comment(1, { body: body('Starting').replace(' v1 ', ' v2 '), author: ownLogin });
  for (let count = 0; count < 130; count += 1)
    scene.repository.comment(1, { body: `Remark ${count}.`, author: 'ada' });
  const first = await start(scene, manualClock());
  const second = await start(scene, manualClock());
  expect([second.id === first.id, bodies(scene).length]).toEqual([true, 132]);
});

/** A clock that counts the timers that nobody took back. */
function countingClock() {
  const clock = manualClock();
  let waiting = 0;
  const counted: Clock = {
    now: clock.now,
    later(milliseconds, run) {
      const cancel = clock.later(milliseconds, run);
      waiting += 1;
      return () => {
        waiting -= 1;
        cancel();
      };
    },
  };
  return { counted, waiting: () => waiting };
}

test('does not edit a deleted comment', async () => {
  const scene = await world.scene();
  const { counted, waiting } = countingClock();
  const progress = await start(scene, counted);
  progress.update(turn(1));
  const before = waiting();
  await progress.remove();
  expect([before, waiting(), bodies(scene), progress.isClosed()]).toEqual([1, 0, [], true]);
});

test('does not edit a comment after its run left it', async () => {
  const scene = await world.scene();
  const { counted, waiting } = countingClock();
  const progress = await start(scene, counted);
  progress.update(turn(1));
  const before = waiting();
  await progress.leave();
  progress.update(turn(2));
  expect([before, waiting(), bodies(scene), progress.isClosed()]).toEqual([1, 0, [body('Starting')], false]);
});

test('cancels an edit that waits for the budget when its run leaves', async () => {
  const scene = await world.scene();
  const clock = manualClock();
  const asked = Promise.withResolvers<void>();
  const empty: ContentBudget = {
    rest() {},
    take: (_kind, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve(false));
        asked.resolve();
      }),
  };
  const progress = await start(scene, clock, 'run_1', empty);
  progress.update(turn(1));
  clock.advance(3_000);
  await asked.promise;
  await progress.leave();
  expect(bodies(scene)).toEqual([body('Starting')]);
});

test('throws a failure of the budget at the end of the run', async () => {
  const scene = await world.scene();
  const clock = manualClock();
  const defect = new Error('a defect of the budget');
  const progress = await start(scene, clock, 'run_1', { rest() {}, take: () => Promise.reject(defect) });
  progress.update(turn(1));
  clock.advance(3_000);
  await expect(progress.finish('The report.')).rejects.toBe(defect);
  await progress.leave();
});
