import { afterAll, beforeAll, expect, test } from 'vitest';
import { publish } from '../../src/reporting/publish.ts';
import { finding, sampleOutcome } from './samples.ts';
import { startWorld, type World } from './scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

test('stores a run during an outage, and posts it once afterwards', async () => {
  const scene = await world.scene();
  const { repository } = scene;
  const plan = scene.plan({
    ...{ verb: 'review', profile: 'review', push: { kind: 'none', reason: 'A review only reads.' } },
  });
  const outcome = sampleOutcome({ run_id: plan.run_id, findings: [{ ...finding, line: 10 }] });
  const down = (path: RegExp, times: number) => {
    for (let time = 0; time < times; time++) world.github.failNext({ method: 'POST', path, status: 503 });
  };
  const attempt = async (triedAgain: boolean) =>
    publish(outcome, plan, { ...(await scene.ports()), triedAgain }).then(
      ({ failures }) => failures.length,
      (error: Error) => ('status' in error ? error.status : error),
    );
  down(/\/pulls\/1\/reviews$/u, 8);
  const first = await attempt(true);
  down(/\/issues\/1\/comments$/u, 2);
  const second = await attempt(true);
  down(/\/issues\/1\/comments$/u, 2);
  const last = await attempt(false);
  const again = await attempt(true);
  expect([first, second, last, again]).toEqual([503, 503, 1, 0]);
  expect([repository.reviews(1).length, repository.reviewComments(1).length]).toEqual([1, 1]);
});

test('an outage at the report is thrown if only the report is retried, and listed otherwise', async () => {
  const scene = await world.scene();
  const plan = scene.plan({
    ...{ verb: 'review', profile: 'review', push: { kind: 'none', reason: 'A review only reads.' } },
  });
  const outcome = sampleOutcome({ run_id: plan.run_id, findings: [{ ...finding, line: 10 }] });
  const ports = { ...(await scene.ports()), triedInOutage: true };
  const fail = (path: RegExp) => {
    for (let time = 0; time < 2; time++) world.github.failNext({ method: 'POST', path, status: 503 });
  };
  fail(/\/issues\/1\/comments$/u);
  await expect(publish(outcome, plan, ports)).rejects.toMatchObject({ status: 503 });
  expect((await publish(outcome, plan, ports)).failures).toEqual([]);
});
