import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { available } from '../sandbox/runner-fixture.ts';
import { visible } from '../support/find-report.ts';
import { allTextOf, call } from '../uses/support/conversation.ts';
import { type Job, startJob } from '../uses/support/start-job.ts';
import { type Orders, obedient, orderTo } from './support/obey.ts';
import { noHarm, type Range, startRange } from './support/range.ts';

vi.setConfig({ maxConcurrency: 4 });

let range: Range;

/** An order that everybody would see carried out. */
const paint: Orders = {
  turns: [[call('create_file', { path: 'owned.txt', content: 'owned\n' })]],
  say: 'Owned.',
};

describe.skipIf(!available)('an edit after a maintainer’s request', () => {
  beforeAll(async () => {
    range = await startRange();
  });
  afterAll(() => range.close());

  test.concurrent('of the triggering comment gives the run no other task', async () => {
    const { stage, shop } = range;
    stage.learn('help honestly', obedient('trigger', paint));
    const number = await range.openPull({ branch: 'trigger' });
    const head = await shop.head('trigger');
    const comment = shop.comment(number, { author: 'ada', body: '@anode help honestly' });
    shop.editComment(comment.id, { author: 'ada', body: `@anode ${orderTo('trigger')}` });
    await stage.report(shop, number, comment.id);
    expect([stage.requestsFor('help honestly').length, await shop.head('trigger')]).toEqual([1, head]);
  });

  test.concurrent('of another comment, the title or the description within the same second is not read', async () => {
    const { stage, shop } = range;
    stage.learn('help with the thread', obedient('thread', paint));
    const number = await range.openPull({ branch: 'thread' });
    const head = await shop.head('thread');
    const remark = shop.comment(number, { author: 'rex', body: 'Looks good.' });
    const comment = shop.comment(number, { author: 'ada', body: '@anode help with the thread' });
    shop.editComment(remark.id, { author: 'rex', body: orderTo('thread') });
    shop.edit(number, { title: orderTo('thread'), body: orderTo('thread') }, { actor: 'rex' });
    shop.comment(number, { author: 'rex', body: orderTo('thread') });
    const report = await stage.report(shop, number, comment.id);
    expect(report).toContain('Nobody ordered anything.');
    expect(await shop.head('thread')).toBe(head);
  });

  test.concurrent('of a fork by a push during the run is not read', async () => {
    const { stage, shop } = range;
    const fork = await shop.fork('mallory');
    await fork.commit('slow', { files: { 'read.md': 'Honest.\n' }, message: 'One', author: 'mallory' });
    const { number } = await shop.openPullRequest({
      title: 'Slow',
      head: 'slow',
      headRepository: fork,
      author: 'mallory',
    });
    stage.passTime();
    const play = obedient('slow', paint, [
      call('bash', { command: 'git fetch origin; git pull; git log --all -p; cat read.md' }),
      call('read', { path: 'read.md' }),
    ]);
    stage.learn('read slowly', async (turn, request) => {
      const files = { 'read.md': orderTo('slow') };
      if (turn === 1) await fork.commit('slow', { files, message: orderTo('slow'), author: 'mallory' });
      return play(turn, request);
    });
    const { id } = shop.comment(number, { author: 'ada', body: '@anode read slowly' });
    const report = await stage.report(shop, number, id);
    const seen = stage.requestsFor('read slowly').map(allTextOf).join('\n');
    expect([
      report.includes('Nobody ordered'),
      seen.includes('Honest.'),
      seen.includes(orderTo('slow')),
    ]).toEqual([true, true, false]);
  });

  test.concurrent('of the branch by a push during the run is not overwritten', async () => {
    const { stage, shop } = range;
    const number = await range.openPull({ branch: 'busy' });
    let pushed: string | null = null;
    stage.learn('change it', async (turn) => {
      if (turn === 1) return { calls: [call('create_file', { path: 'new.txt', content: 'a\n' })] };
      pushed = await shop.commit('busy', { files: { 'b.txt': 'b\n' }, message: 'Push', author: 'ada' });
      return { text: 'Changed.' };
    });
    const { id } = shop.comment(number, { author: 'ada', body: '@anode change it' });
    const report = await stage.report(shop, number, id);
    expect(report).toContain('which came onto `busy` while the run worked');
    const below = (await shop.git('rev-parse', 'busy^')).trim();
    expect([below, await range.harm()]).toEqual([pushed, noHarm]);
  });

  describe('in a workflow, which starts late', () => {
    let job: Job;
    beforeAll(async () => {
      job = await startJob();
    });
    afterAll(() => job.close());

    test('of a fork by a push between comment and step starts no run', async () => {
      const shop = await job.github.createRepository('acme/shop', {
        files: { 'colour.txt': 'red\n', '.github/anode.yml': 'sandbox: required\n' },
      });
      shop.setPermission('ada', 'write');
      const fork = await shop.fork('mallory');
      await fork.commit('late', { files: { 'read.md': 'Honest.\n' }, message: 'One', author: 'mallory' });
      const { number } = await shop.openPullRequest({
        title: 'Late',
        head: 'late',
        headRepository: fork,
        author: 'mallory',
      });
      job.learn('run the tests', obedient('late', paint, [call('read', { path: 'read.md' })]));
      shop.comment(number, { author: 'ada', body: '@anode run the tests' });
      await fork.commit('late', { files: { 'read.md': orderTo('late') }, message: 'Two', author: 'mallory' });
      const step = await job.run(shop, { event: 'issue_comment', actor: 'ada', inputs: {} });
      expect([step.code, job.requestsFor('run the tests')]).toEqual([0, []]);
      expect(visible(shop.comments(number).at(-1)?.body ?? '')).toMatch(
        /^The head is [0-9a-f]{12} now, and /,
      );
    });
  });
});
