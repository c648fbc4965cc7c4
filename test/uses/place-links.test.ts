import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 90_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test('a place in an answer links to its line at the head, and one that is not there does not', async () => {
  const shop = await stage.github.createRepository('acme/places', {
    files: { 'src/a.ts': 'one\ntwo\n', '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  stage.learn('PLACES', () => ({ text: 'See `src/a.ts:2`, not src/a.ts:3 nor /etc/passwd:1.' }));
  await shop.commit('side', { files: { 'b.txt': 'b\n' }, message: 'Add b', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Add b', head: 'side', author: 'ada' });
  const { id } = shop.comment(number, { author: 'ada', body: '/anode ask PLACES' });
  const page = `${shop.cloneUrl.replace(/\.git$/, '')}/blob/${await shop.head('side')}/src/a.ts`;
  expect((await stage.report(shop, number, id)).split('\n\n')[1]).toBe(
    `See [\`src/a.ts:2\`](${page}#L2), not src/a.ts:3 nor /etc/passwd:1.`,
  );
});
