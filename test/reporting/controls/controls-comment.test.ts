import { afterAll, beforeAll, expect, test } from 'vitest';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import { createActiveRuns } from '../../../src/pipeline/context/active-runs.ts';
import { handleClick } from '../../../src/pipeline/controls/handle-click.ts';
import { readControls, startControls } from '../../../src/reporting/controls/controls-comment.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { latestEvent } from '../../support/latest-event.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { ownLogin, type Scene, silentLog, startWorld, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const bodies = (scene: Scene) =>
  scene.repository
    .comments(1)
    .slice(1)
    .map(({ body }) => body);
const boxes = (line: string) =>
  `<!-- anode:controls v1 run=run_1 -->\n- [ ] ${line}\n\n<sub>Tick the box; that takes write permission here.</sub>`;
const stop = boxes('Stop this run; its work so far is reported');
const retry = boxes('Run the last request again');

function start(scene: Scene, wanted: boolean | undefined) {
  const clock = manualClock();
  const store = createMemoryStateStore();
  const plan = scene.plan({ run_id: 'run_1' });
  const controls = startControls(plan, wanted, {
    octokit: scene.octokit,
    store,
    ownLogin,
    log: silentLog,
    clock,
  });
  const shown = () => world.github.waitFor(() => bodies(scene).length === 1);
  return { clock, store, controls, shown };
}

test('adds a stop box to long runs only, and removes it after success', async () => {
  const scene = await world.scene();
  const short = start(scene, undefined);
  short.clock.advance(119_000);
  await short.controls.end(['retry']);
  short.clock.advance(119_000);
  const long = start(scene, undefined);
  long.clock.advance(120_000);
  await long.shown();
  const seen = bodies(scene);
  await long.controls.end([]);
  expect([seen, bodies(scene), await readControls(long.store, 'run_1')]).toEqual([[stop], [], null]);
});

test('offers a retry in the same comment after a failure', async () => {
  const scene = await world.scene();
  const { clock, controls, shown, store } = start(scene, true);
  clock.advance(2_000);
  await shown();
  await controls.end(['retry']);
  expect([bodies(scene), (await readControls(store, 'run_1'))?.text]).toEqual([[retry], retry]);
});

test('posts no controls if disabled, and survives GitHub’s refusals', async () => {
  const scene = await world.scene();
  const none = start(scene, false);
  none.clock.advance(600_000);
  await none.controls.end(['retry']);
  const refused = start(scene, true);
  world.github.failNext({ method: 'POST', status: 403 });
  await refused.controls.end(['retry']);
  expect(bodies(scene)).toEqual([]);
});

test('accepts a box ticked before its comment is stored, in our comments only', async () => {
  const scene = await world.scene();
  const memory = createMemoryStateStore();
  const pressed: unknown[] = [];
  const press = async (author: string) => {
    const forged = scene.repository.comment(1, { author, body: stop });
    for (const id of [forged.id, scene.repository.comments(1).find(({ body }) => body === stop)?.id ?? 0]) {
      scene.repository.editComment(id, { author: 'ada', body: stop.replace('- [ ]', '- [x]') });
      const ports = {
        github: { reader: scene.octokit, writer: scene.octokit },
        store: memory,
        runs: createActiveRuns(),
        ownLogin,
      };
      pressed.push(
        await handleClick(latestEvent(world.github, 'issue_comment', 'edited', null), 'running', ports),
      );
    }
  };
  const store: typeof memory = {
    ...memory,
    async set(key, value) {
      if (bodies(scene).length === 1) await press('ada');
      await memory.set(key, value);
    },
  };
  const clock = manualClock();
  const plan = scene.plan({ run_id: 'run_1' });
  const controls = startControls(plan, true, {
    octokit: scene.octokit,
    store,
    ownLogin,
    log: silentLog,
    clock,
  });
  clock.advance(2_000);
  await controls.end([]);
  expect([pressed, await memory.get(stateKeys.stop('run_1')), await readControls(memory, 'run_1')]).toEqual([
    [{ kind: 'other' }, { kind: 'done', reason: 'the run is stopped', stops: true }],
    'Stopped by ada.',
    null,
  ]);
});

test('removes controls whose answer was lost', async () => {
  const scene = await world.scene();
  const { clock, controls, shown, store } = start(scene, true);
  world.github.failNext({ method: 'POST', path: /comments$/, status: 502, after: true });
  clock.advance(2_000);
  await shown();
  await controls.end([]);
  expect([bodies(scene), await readControls(store, 'run_1')]).toEqual([[], null]);
});

test('does not repost controls that a user deleted', async () => {
  const scene = await world.scene();
  const { clock, controls, shown, store } = start(scene, true);
  clock.advance(2_000);
  await shown();
  const [, comment] = scene.repository.comments(1);
  const looked = `/issues/comments/${comment?.id}`;
  await world.github.waitFor(() =>
    world.github.requests.some(({ method, path }) => method === 'GET' && path.endsWith(looked)),
  );
  scene.repository.deleteComment(comment?.id ?? 0, { author: 'ada' });
  await controls.end(['retry']);
  expect([bodies(scene), await readControls(store, 'run_1')]).toEqual([[], null]);
});
