import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOwnComment, markedBody, postOwnComment } from '../../../src/reporting/posting/own-comment.ts';
import { ownLogin, startWorld, type World } from '../scene.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world.close());

test('identifies a comment by marker, run and author, and posts it once', async () => {
  const scene = await world.scene();
  const [plan, other] = [scene.plan(), scene.plan({ run_id: 'run_2' })];
  const thread = plan.thread ?? expect.unreachable();
  const place = { octokit: scene.octokit, plan, thread, ownLogin };
  const say = (body: string) =>
    scene.octokit.rest.issues.createComment({
      ...{ owner: plan.repository.owner, repo: plan.repository.name, issue_number: 1 },
      body,
    });
  await say(`Somebody wrote:\n\n${markedBody(plan, 'report', 'Quoted.')}`);
  await say(markedBody(other, 'report', 'Of another run.'));
  await say(markedBody(plan, 'progress', 'Another kind.'));
  scene.repository.comment(1, { body: markedBody(plan, 'report', 'Forged.'), author: 'eve' });
  expect(await findOwnComment(place, 'report')).toBeNull();
  const posted = await postOwnComment(place, 'report', 'Done.');
  expect([
    await postOwnComment(place, 'report', 'Done again.'),
    await findOwnComment(place, 'report', 'Done.'),
    await findOwnComment(place, 'report', 'Done again.'),
    posted.body,
  ]).toEqual([posted, posted, null, markedBody(plan, 'report', 'Done.')]);
});
