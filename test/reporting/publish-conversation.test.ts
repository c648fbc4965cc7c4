import { afterAll, beforeAll, expect, test } from 'vitest';
import { stateKeys } from '../../src/contract/state-keys.ts';
import { PostedBoxes } from '../../src/contract/thread-records.ts';
import { publish } from '../../src/reporting/publish.ts';
import { handoff, sampleOutcome, waitingSession } from './samples.ts';
import { ownLogin, startWorld, text, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

const fixed = text((lines) => lines.with(9, 'const ten = 11;\n'));

const question = {
  question: 'Which calendar?',
  options: [{ id: 'iso', label: 'ISO' }],
  allow_freeform: false,
  required: true,
  questions: [],
};

test('posts a question, saves its session, and publishes no change', async () => {
  const scene = await world.scene();
  const plan = scene.plan();
  const changes = scene.changes({ 'src/a.js': fixed });
  const session = { ...waitingSession(plan, question), patch: changes.patch, base_sha: scene.head };
  const outcome = sampleOutcome({ conclusion: 'waiting', question, changes });
  const published = await publish(outcome, plan, await scene.ports({ session }));
  const stored = await scene.store.get('waiting/1/run_1');
  expect({
    head: await scene.repository.head('dates'),
    published: [published.question !== undefined, published.patch, published.failures],
    stored: JSON.parse(stored ?? 'null'),
    comments: scene.repository
      .comments(1)
      .slice(1)
      .map(({ body }) => body.split('\n')[0]),
  }).toEqual({
    head: scene.head,
    published: [true, '', []],
    stored: JSON.parse(JSON.stringify(session)),
    comments: ['<!-- anode:question v1 run=run_1 -->', '<!-- anode:progress v1 run=run_1 -->'],
  });
});

test.each([
  ['quotes our mark', (mark: string) => `lint: the title says ${mark}`],
  ['begins with our mark', (mark: string) => `${mark}\nNothing to decide here.`],
])('posts a question also if another comment in our name %s', async (_, forge) => {
  const scene = await world.scene();
  const plan = scene.plan();
  const forged = forge('<!-- anode:question v1 run=run_1 -->');
  scene.repository.comment(1, { author: ownLogin, body: forged });
  const outcome = sampleOutcome({ conclusion: 'waiting', question });
  const session = { ...waitingSession(plan, question), base_sha: scene.head };
  const ports = await scene.ports({ session });
  const questions = () =>
    scene.repository
      .comments(1)
      .slice(1)
      .map(({ body }) => body)
      .filter((body) => body.includes('anode:question'));
  await publish(outcome, plan, ports);
  expect(questions()).toEqual([forged, expect.stringContaining('Which calendar?')]);
  await publish(outcome, plan, ports);
  expect(questions()).toHaveLength(2);
});

test('does not post an unsaved question, and reports its changes', async () => {
  const scene = await world.scene();
  const changes = scene.changes({ 'src/a.js': fixed });
  const outcome = sampleOutcome({ conclusion: 'waiting', question, changes });
  const published = await publish(outcome, scene.plan(), await scene.ports());
  expect({
    failures: published.failures,
    patch: published.patch,
    comments: scene.repository.comments(1).length,
  }).toEqual({
    failures: ['No answer can resume this run, as its question could not be posted.'],
    patch: changes.patch,
    comments: 2,
  });
});

test('accepts boxes of a question whose publisher died after posting', async () => {
  const scene = await world.scene();
  const plan = scene.plan({ run_id: 'run_9' });
  const outcome = sampleOutcome({ run_id: 'run_9', conclusion: 'waiting', question });
  const session = { ...waitingSession(plan, question), run_id: 'run_9', base_sha: scene.head };
  const ports = await scene.ports({ session });
  const dying = (key: string) =>
    key === stateKeys.boxes('run_9') && Promise.reject(new Error('the process ended'));
  const store = {
    ...ports.store,
    set: async (key: string, value: string) => {
      await dying(key);
      await ports.store.set(key, value);
    },
  };
  await expect(publish(outcome, plan, { ...ports, store })).rejects.toThrow('the process ended');
  await publish(outcome, plan, ports);
  const asked = scene.repository.comments(1).filter(({ body }) => body.includes('anode:question'));
  const kept = PostedBoxes.parse(JSON.parse((await ports.store.get(stateKeys.boxes('run_9'))) ?? 'null'));
  expect([asked.length, kept.comment_id, kept.boxes.length]).toEqual([1, asked[0]?.id, 1]);
});

test('creates issues for handoffs, with existing labels, linked from the report', async () => {
  const scene = await world.scene();
  scene.repository.addLabel(2, 'handoff', { actor: 'ada' });
  const outcome = sampleOutcome({ handoffs: [handoff, { ...handoff, target: 'parent' }] });
  const ports = await scene.ports({ config: { handoff: { labels: ['handoff', 'unknown'] } } });
  const published = await publish(outcome, scene.plan(), ports);
  expect({
    issues: published.issues.map(({ number, title }) => [number, title]),
    kept: published.downgrades,
    labels: scene.repository.issues().map(({ number, labels }) => [number, labels]),
    report: published.report.split('\n')[0],
  }).toEqual({
    issues: [[3, 'Tokens are migrated']],
    kept: [
      'A handoff to `parent` went to the mailbox of that name, which ended with the run: Tokens are migrated.',
    ],
    labels: [
      [2, ['handoff']],
      [3, ['handoff']],
    ],
    report: '**Done.** Handed over in #3.',
  });
});
