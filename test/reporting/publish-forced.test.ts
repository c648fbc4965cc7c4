import { afterAll, beforeAll, expect, test } from 'vitest';
import { publish } from '../../src/reporting/publish.ts';
import { finding, sampleOutcome } from './samples.ts';
import { headFile, startWorld, text, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

/** A pull request whose head is pushed away by force while a run works that may only suggest. */
async function forced() {
  const scene = await world.scene();
  const plan = scene.plan({ push: { kind: 'none', reason: 'it may only suggest' } });
  const ports = await scene.ports({
    review: {
      ...{ store: scene.store, reviewed: null, renamed: new Map(), asked: null, nothingNew: false },
      readText: async () => headFile,
      commitsOf: async () => [],
    },
  });
  const files = { 'src/a.js': 'const other = 1;\n' };
  const other = await scene.repository.commit('other', { files, message: 'Other', author: 'ada' });
  await scene.repository.forcePush('dates', other, 'ada');
  const reviews = () => scene.repository.reviews(1).length;
  return { plan, ports, scene, reviews };
}

/** The added lines of a text's patch. */
const added = (report: string) => report.match(/^\+(?!\+).*$/gmu);

test('puts suggestions for a lost head into the report as a patch', async () => {
  const { scene, plan, ports, reviews } = await forced();
  const changes = scene.changes({ 'src/a.js': text((lines) => lines.with(9, 'const ten = 11;\n')) });
  const published = await publish(sampleOutcome({ changes }), plan, ports);
  const note = 'GitHub took no review of this run. What it would have suggested is here as a patch.';
  expect([published.review, reviews(), added(published.report), published.failures]).toEqual([
    ...[undefined, 0, ['+const ten = 11;'], [note]],
  ]);
  expect(published.report).toContain(note);
});

test('puts suggestions of findings for a lost head into a patch, also on a retry', async () => {
  const { scene, plan, ports, reviews } = await forced();
  const changes = scene.changes({ 'src/a.js': text((lines) => lines.with(9, 'const ten = 11;\n')) });
  const findings = [{ ...finding, path: 'src/a.js', line: 8, suggestion: 'const eight = 9;' }];
  const outcome = sampleOutcome({ changes, findings });
  const reports = [
    (await publish(outcome, plan, ports)).report,
    (await publish(outcome, plan, ports)).report,
  ];
  expect([reviews(), ...reports.map(added)]).toEqual([
    0,
    ...[0, 1].map(() => ['+const ten = 11;', '+const eight = 9;']),
  ]);
});
