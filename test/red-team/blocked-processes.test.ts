import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandOf, deliveryProcesses } from '../support/delivery-pids.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { commitOf } from '../uses/support/commit-of.ts';
import { call } from '../uses/support/conversation.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Stage, startStage } from '../uses/support/start-app.ts';

const preload = pathToFileURL(path.join(projectRoot, 'test/support/blocking-text.ts')).href;
const files = {
  'a.txt': 'red\n',
  'blocks.txt': 'a\n',
  '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n',
};

let stage: Stage;
let shop: RepositoryHandle;
let other: RepositoryHandle;
beforeAll(async () => {
  stage = await startStage({ NODE_OPTIONS: `--import=${preload}`, ANODE_STALL_SECONDS: '4' });
  shop = await stage.github.createRepository('acme/shop', { files });
  other = await stage.github.createRepository('acme/other', { files });
  for (const repository of [shop, other]) repository.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

const isWell = async () => (await fetch(`${stage.server().url}/healthz`)).status === 200;
const killed = () => stage.server().lines.filter((line) => line.includes('did not answer for 4 s')).length;
const own = (repository: RepositoryHandle, number: number) =>
  repository.comments(number).filter(({ author }) => author === stage.app.login);

test('a text that blocks its reader fails only its own delivery, while the App and other runs continue', async () => {
  const { number } = await other.openIssue({ title: 'Work', author: 'ada' });
  const mayEnd = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  stage.learn('work long', async () => {
    reached.resolve();
    await mayEnd.promise;
    return { text: 'Worked.' };
  });
  const { id } = other.comment(number, { author: 'ada', body: '@anode work long' });
  await reached.promise;
  const issue = await shop.openIssue({ title: 'Odd', author: 'rex' });
  shop.comment(issue.number, { author: 'rex', body: '@anode a text that blocks' });
  // At once, and in each of three attempts.
  await expect.poll(async () => [await isWell(), killed()]).toEqual([true, 4]);
  mayEnd.resolve();
  expect(await stage.report(other, number, id)).toContain('Worked.');
  expect([stage.requestsFor('work long').length, own(other, number).length, stage.writes(shop)]).toEqual([
    1,
    1,
    [],
  ]);
  // Nor does it hold up its own repository.
  const { number: next } = await shop.openIssue({ title: 'Even', author: 'ada' });
  stage.learn('say hello', () => ({ text: 'Hello.' }));
  const hello = shop.comment(next, { author: 'ada', body: '@anode say hello' });
  expect(await stage.report(shop, next, hello.id)).toContain('Hello.');
});

test('a run whose process hangs is retried and takes effect once', async () => {
  await shop.commit('topic', { files: { 'b.txt': 'b\n' }, message: 'b', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Topic', head: 'topic', author: 'ada' });
  const before = killed();
  let parts = 0;
  stage.learn('paint it', (turn) => {
    if (turn === 1) {
      parts += 1;
      return { calls: [call('edit_file', { path: 'a.txt', old_str: 'red', new_str: 'blue' })] };
    }
    if (parts === 1)
      return { calls: [call('edit_file', { path: 'blocks.txt', old_str: 'a', new_str: 'b' })] };
    return { text: 'It is blue.' };
  });
  const { id } = shop.comment(number, { author: 'ada', body: '@anode paint it' });
  const report = await stage.report(shop, number, id);
  expect([parts, killed() - before, own(shop, number).length]).toEqual([2, 1, 1]);
  expect(report.split('\n')[0]).toMatch(/^\*\*Done\.\*\* Committed/);
  expect(await commitOf(shop, 'topic')).toMatchObject({ files: ['M a.txt'] });
});

test('a delivery process has no credentials of the App and ends with the App', async () => {
  const reached = Promise.withResolvers<void>();
  stage.learn('stay here', () => {
    reached.resolve();
    return { fault: 'stall' };
  });
  const { number } = await other.openIssue({ title: 'Stay', author: 'ada' });
  other.comment(number, { author: 'ada', body: '@anode stay here' });
  await reached.promise;
  const pids = deliveryProcesses(stage.server().pid);
  const variables = pids.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8')).join('\0');
  expect(pids.length).toBeGreaterThan(0);
  expect(variables).toContain('ANTHROPIC_API_KEY=');
  expect(variables).not.toMatch(/^(?:APP_ID|PRIVATE_KEY|PRIVATE_KEY_PATH|WEBHOOK_SECRET|DATABASE_URL)=/m);
  expect(variables).not.toMatch(new RegExp(`PRIVATE KEY|${stage.app.webhookSecret}`));
  await stage.server().kill();
  await expect.poll(() => pids.map(commandOf)).toEqual(pids.map(() => ''));
  expect(visible(own(other, number)[0]?.body ?? '')).toContain('Working');
  await stage.restart();
});
