import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunEvent } from '../../src/contract/run-event.ts';
import type { Clock } from '../../src/github/clock.ts';
import {
  editInterval,
  type ProgressComment,
  startProgressComment,
} from '../../src/reporting/progress-comment.ts';
import { publish } from '../../src/reporting/publish.ts';
import { renderEnd } from '../../src/reporting/render-end.ts';
import { sampleOutcome } from './samples.ts';
import { ownLogin, type Scene, silentLog, startWorld, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

/** A clock that stands until it is moved. */
function manualClock(): Clock & { advance(milliseconds: number): void } {
  let now = 0;
  const timers = new Map<object, { at: number; run: () => void }>();
  return {
    now: () => now,
    later(milliseconds, run) {
      const key = {};
      timers.set(key, { at: now + milliseconds, run });
      return () => timers.delete(key);
    },
    advance(milliseconds) {
      now += milliseconds;
      for (const [key, timer] of [...timers]) {
        if (timer.at > now) continue;
        timers.delete(key);
        timer.run();
      }
    },
  };
}

async function start(scene: Scene, clock: Clock, runId = 'run_1'): Promise<ProgressComment> {
  const progress = await startProgressComment({
    octokit: scene.octokit,
    plan: scene.plan({ run_id: runId }),
    ownLogin,
    runUrl: null,
    log: silentLog,
    clock,
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

test('The comment stands at once, follows the run within its budget, and ends as the report.', async () => {
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

test('A second attempt at the run takes the comment up, another account’s marker does not fool it.', async () => {
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

test('An edit that fails is given up until there is something new, and never breaks the run.', async () => {
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

test('A crash closes the comment in words, but never over a report; a deleted one is made anew.', async () => {
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
      '**Failed.** The disk is full, `@ada`.',
      '',
      'To go on: look into the log of the run for the cause, then ask again.',
    ].join('\n'),
    '<!-- anode:progress v1 run=run_2 -->\nThe report.',
  ]);
});

test('The report of a publisher takes the place of the progress, also when the first token is no more.', async () => {
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

test('Edits grow rarer, so that all runs together stay under GitHub’s limit.', () => {
  expect([0, 19, 20, 59, 60].map(editInterval)).toEqual([3_000, 3_000, 10_000, 10_000, 30_000]);
});
