import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

const config = 'sandbox: preferred\nreview: { sarif: true, checks: { linters: false } }\n';
let stage: Stage;
let shop: RepositoryHandle;
beforeAll(async () => {
  stage = await startStage();
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.c': 'int a;\n', '.github/anode.yml': config },
  });
  shop.setPermission('ada', 'write');
});
afterAll(() => stage.close());

const marked = 'int a;\n>>>>>>> other\n';
const displayed = (body: string) => body.replaceAll(/^<!--.*?-->\n|<!--.*?-->/gm, '');
const remarks = (number: number) =>
  shop
    .reviewComments(number)
    .map(({ path, line, body }) => `${path}:${line} ${displayed(body).split('\n')[0]}`);

test('a review posts the findings of checks and model once each, and the model knows those of the checks', async () => {
  stage.learn('a.c', (turn) =>
    turn === 1
      ? {
          calls: [
            call('report_findings', {
              findings: [
                {
                  ...{ path: 'a.c', line: 2, severity: 'high', category: 'conflicts' },
                  ...{ title: 'A conflict', body: 'Not resolved.' },
                },
                {
                  ...{ path: 'a.c', line: 3, severity: 'low', category: 'style' },
                  ...{ title: 'A name', body: 'Too short.' },
                },
              ],
            }),
          ],
        }
      : { text: 'Two things.' },
  );
  await shop.commit('both', { files: { 'a.c': `${marked}int b;\n` }, message: 'Both', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Both', head: 'both', author: 'ada' });
  const report = await stage.report(shop, number);
  expect(remarks(number)).toEqual(['a.c:2 **high** · A conflict marker is left']);
  // The summary holds what gets no thread: findings below `review.threadsFrom`.
  expect(report).toMatch(/- \*\*low\*\*[^\n]* · \[`a\.c:3`\]\S+ A name\n\n {2}Too short\./);
  const [request] = stage.requestsFor('a.c');
  expect(JSON.stringify(request?.messages)).toContain('a.c\\":2 A conflict marker is left (conflicts)');
  // The installation has no permission for code scanning, which is said and costs nothing else.
  expect(report).toContain('The findings for code scanning could not be posted');
  expect(shop.sarifs()).toEqual([]);
});

test('a review by checks alone calls no model', async () => {
  const requested = stage.model.requests.length;
  const quiet = await stage.github.createRepository('acme/quiet', {
    files: { 'a.c': 'int a;\n', '.github/anode.yml': config.replace('review: {', 'review: { auto: false,') },
  });
  quiet.setPermission('ada', 'write');
  await quiet.commit('alone', { files: { 'a.c': marked }, message: 'Alone', author: 'ada' });
  const { number } = await quiet.openPullRequest({ title: 'Alone', head: 'alone', author: 'ada' });
  await quiet.comment(number, { author: 'ada', body: '/anode review --checks-only' });
  const report = await stage.report(quiet, number);
  expect(report).toContain('7 checks without a model looked at the change and found one thing.');
  expect(quiet.reviewComments(number).map(({ path, line }) => `${path}:${line}`)).toEqual(['a.c:2']);
  expect(stage.model.requests.length).toBe(requested);
});
