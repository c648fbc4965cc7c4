import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { visible } from '../support/find-report.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 90_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const plain = 'review:\n  auto: false\nsandbox: preferred\n';
const change = (text: string) => (turn: number) =>
  turn === 1
    ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: text })] }
    : { text: `It is ${text}.` };

async function repositoryOf(name: string, files: Readonly<Record<string, string>>) {
  const shop = await stage.github.createRepository(`acme/${name}`, {
    files: { 'colour.txt': 'red\n', ...files },
  });
  shop.setPermission('ada', 'write');
  return shop;
}

test('a configuration after the first 1,000 entries of a folder is found', async () => {
  const others = Array.from({ length: 1_001 }, (_, index) => [`.github/a-${index + 1_000}`, 'x\n'] as const);
  const shop = await repositoryOf('many', {
    ...Object.fromEntries(others),
    '.github/anode.yml': `${plain}branch:\n  prefix: found/\n`,
  });
  stage.learn('MANY', change('blue'));
  const { number } = await shop.openIssue({ title: 'Blue', author: 'ada' });
  const { id } = shop.comment(number, { author: 'ada', body: '/anode implement MANY' });
  const report = await stage.report(shop, number, id);
  expect([report.split('\n')[0], shop.pulls()[0]?.head.split('/')[0]]).toEqual([
    '**Done.** Opened #2 with 1 file changed.',
    'found',
  ]);
});

test('a configuration over 1 MB, which comes without content, starts no run and is reported', async () => {
  const shop = await repositoryOf('long', { '.github/anode.yml': `${plain}${'# long\n'.repeat(150_000)}` });
  stage.learn('LONG', change('blue'));
  const { number } = await shop.openIssue({ title: 'Blue', author: 'ada' });
  shop.comment(number, { author: 'ada', body: '/anode implement LONG' });
  const own = () => shop.comments(number).filter(({ author }) => author === stage.app.login);
  await stage.until('an answer', () => own().length > 0);
  expect([visible(own()[0]?.body ?? ''), stage.requestsFor('LONG').length]).toEqual([
    'The configuration cannot be used, so nothing was started. .github/anode.yml: not a regular file of at most 1 MB.',
    0,
  ]);
});

test('a finding in a file whose patch GitHub omits is reported in the review with the others', async () => {
  const shop = await repositoryOf('wide', { '.github/anode.yml': plain });
  const lines = Array.from({ length: 20_001 }, (_, index) => `line ${index}\n`).join('');
  await shop.commit('topic', {
    files: { 'colour.txt': 'blue\n', 'wide.txt': lines },
    message: 'Wide',
    author: 'ada',
  });
  const finding = (path: string, line: number, title: string) => ({
    ...{ path, line, severity: 'high', category: 'style', title, body: 'Not good.' },
  });
  stage.learn('WIDE', (turn) =>
    turn === 1
      ? {
          calls: [
            call('report_findings', {
              findings: [finding('colour.txt', 1, 'Too blue'), finding('wide.txt', 5, 'Too wide')],
            }),
          ],
        }
      : { text: 'Two things.' },
  );
  const { number } = await shop.openPullRequest({ title: 'Wide', head: 'topic', author: 'ada' });
  await stage.github.settled();
  const { id } = shop.comment(number, { author: 'ada', body: '/anode review WIDE' });
  const report = await stage.report(shop, number, id);
  const posted = shop
    .comments(number)
    .map(({ body }) => body)
    .join('\n');
  expect([
    shop.reviewComments(number).map(({ path, line }) => `${path}:${line}`),
    /- \*\*high\*\*[^\n]* · \[`(wide[^`]+)`\]\S+ ([^\n]+)/.exec(posted)?.slice(1),
    /The change is too large[^\n]*/.exec(report)?.[0],
  ]).toEqual([
    ['colour.txt:1'],
    ['wide.txt:5', 'Too wide'],
    'The change is too large to be shown to the reviewer whole, who could only read on in 1 file: `wide.txt`.',
  ]);
});
