import { afterAll, beforeAll, expect, test } from 'vitest';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from './support/commit-of.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

const files = { 'colour.txt': 'red\n', '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n' };
beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', { files });
  shop.setPermission('ada', 'write');
});
afterAll(() => stage.close());

async function openPull(repository: RepositoryHandle, branch: string): Promise<number> {
  await repository.commit(branch, { files: { [`${branch}.txt`]: 'one\n' }, message: branch, author: 'ada' });
  return (await repository.openPullRequest({ title: branch, head: branch, author: 'ada' })).number;
}

const ownComments = (repository: RepositoryHandle, number: number) =>
  repository.comments(number).filter(({ author }) => author === stage.app.login);

test('a model outage closes the progress comment as failed, with a message', async () => {
  const number = await openPull(shop, 'down');
  stage.learn('call a dead model', () => ({
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message: 'model is gone' } },
  }));
  const comment = shop.comment(number, { author: 'ada', body: '@anode call a dead model' });
  const report = await stage.report(shop, number, comment.id);
  expect(report).toBe(
    '**Failed.** The model anthropic/claude-sonnet-4-6 failed: 400 model is gone. Tried once. The provider does not take this request; see its message.',
  );
  const { host } = new URL(stage.model.url);
  expect(ownComments(shop, number)).toHaveLength(1);
  const logged = stage.server().lines.filter((line) => line.includes(`The model at ${host} failed`));
  expect(logged).toHaveLength(1);
  await stage.until('👀 taken away', () => shop.reactions(comment).length === 0);
});

test('an unknown configuration key is reported to the requester, and skips an automated review silently', async () => {
  const broken = await stage.github.createRepository('acme/broken', {
    files: { 'a.txt': 'a\n', '.github/anode.yml': 'permissions:\n  presets: strict\n' },
  });
  broken.setPermission('ada', 'write');
  broken.setPermission('rex', 'read');
  const number = await openPull(broken, 'topic');
  const stranger = broken.comment(number, { author: 'rex', body: '@anode anything' });
  const { id } = broken.comment(number, { author: 'ada', body: '@anode anything' });
  await stage.until('an answer', () => ownComments(broken, number).length > 0);
  expect(ownComments(broken, number).map(({ body }) => visible(body))).toEqual([
    'The configuration cannot be used, so nothing was started. .github/anode.yml:2:3: unknown key permissions.presets. Did you mean permissions.preset?',
  ]);
  expect([stranger.id, id].flatMap((one) => broken.reactions({ id: one }))).toEqual([]);
  expect(stage.requestsFor('anything')).toEqual([]);
  expect([broken.reviews(number), broken.reviewComments(number)]).toEqual([[], []]);
});

test("rules that decide nothing are reported in the report and the App's log, by name and line", async () => {
  const rules = [
    '    - { name: package managers, tool: bash, matches: { command: npm * }, action: ask }',
    '    - { name: tests, tool: bash, matches: { command: npm test * }, action: allow }',
  ];
  const shadowed = await stage.github.createRepository('acme/shadowed', {
    files: {
      ...files,
      '.github/anode.yml': ['sandbox: preferred', 'permissions:', '  rules:', ...rules].join('\n'),
    },
  });
  shadowed.setPermission('ada', 'write');
  const number = await openPull(shadowed, 'topic');
  stage.learn('say something', () => ({ text: 'Something.' }));
  const comment = shadowed.comment(number, { author: 'ada', body: '@anode say something' });
  const warning =
    'rule 2 (tests), .github/anode.yml:5: it can never match, because rule 1 (package managers), .github/anode.yml:4, comes first and matches all its calls. Move it up, or remove it.';
  expect(await stage.report(shadowed, number, comment.id)).toContain(warning);
  const logged = () =>
    stage.server().lines.filter((line) => line.includes('"level":40') && line.includes(warning));
  await stage.server().untilLogged(() => logged().length > 0);
  expect(logged()).toHaveLength(1);
});

test('an App killed during a run completes it exactly once: one commit, one progress comment', async () => {
  const number = await openPull(shop, 'crash');
  const head = await shop.head('crash');
  const reached = Promise.withResolvers<void>();
  let runs = 0;
  stage.learn('survive a crash', (turn) => {
    if (turn === 1)
      return { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] };
    runs += 1;
    // The first time nothing comes back before the process is gone.
    if (runs === 1) {
      reached.resolve();
      return { fault: 'stall' };
    }
    return { text: 'It is blue.' };
  });
  const comment = shop.comment(number, { author: 'ada', body: '@anode survive a crash' });
  await reached.promise;
  await stage.until('progress', () => ownComments(shop, number).length === 1);
  const [progress] = ownComments(shop, number);
  await stage.server().kill();
  await stage.restart();
  const report = await stage.report(shop, number, comment.id);
  expect(ownComments(shop, number).map(({ id }) => id)).toEqual([progress?.id]);
  expect(await commitOf(shop, 'crash')).toMatchObject({ parents: [head], files: ['M colour.txt'] });
  expect(report.split('\n')[0]).toMatch(/^\*\*Done\.\*\* Committed/);
  await stage.until('👀 taken away', () => shop.reactions(comment).length === 0);
  expect(visible(ownComments(shop, number)[0]?.body ?? '')).not.toContain('Working');
});
