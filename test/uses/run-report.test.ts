import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findReport } from '../support/find-report.ts';
import { call } from './support/conversation.ts';
import { modelKey, type Stage, startStage } from './support/start-app.ts';

const publicUrl = 'https://anode.example.com';
let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ ANODE_PUBLIC_URL: `${publicUrl}/` });
});
afterAll(() => stage.close());

/** A comment requests something; returns the comment with the report. */
async function reportOn(name: string, words: string, config = ''): Promise<string> {
  const files = { 'colour.txt': 'red\n', '.github/anode.yml': `sandbox: preferred\n${config}` };
  const shop = await stage.github.createRepository(name, { files });
  shop.setPermission('ada', 'write');
  await shop.openIssue({ title: 'Colours', author: 'ada' });
  const { id } = shop.comment(1, { author: 'ada', body: `@anode ${words}` });
  await stage.report(shop, 1, id);
  return findReport(shop, stage.app.login, 1, id)?.body ?? '';
}

const linkIn = (body: string): string => /\[run\]\((\S+)\)/.exec(body)?.[1] ?? '';

/** The App's own address for a link that people get. */
const served = (link: string) => stage.server().url + link.slice(publicUrl.length);

test('the App links to a report of the run that only the link opens, without any key in it', async () => {
  stage.learn('paint it', (turn) =>
    turn === 1
      ? {
          text: `The key is ${modelKey}.`,
          calls: [
            call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: `blue <b>${modelKey}</b>` }),
          ],
        }
      : { text: `It is blue, by ${modelKey}.` },
  );
  const body = await reportOn('acme/painted', `paint it, with ${modelKey}`);
  const link = linkIn(body);
  expect(link).toMatch(
    /^https:\/\/anode\.example\.com\/runs\/run_\w+\/report\?expires=\d+&signature=[0-9a-f]{64}$/,
  );
  // It is written once the comment stands.
  await vi.waitFor(async () => expect((await fetch(served(link))).status).toBe(200), { timeout: 120_000 });
  const page = await (await fetch(served(link))).text();
  const read = page
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  for (const words of [
    'Asked by ada on acme/painted#1 Colours',
    'edit_file colour.txt',
    'paint it, with [redacted]',
    'It is blue',
  ])
    expect(read).toContain(words);
  expect({ key: page.includes(modelKey), part: page.includes('canary') }).toEqual({
    key: false,
    part: false,
  });
  const answers = await Promise.all(
    [link.replace(/run_\w/, 'run_x'), link.replace(/expires=\d/, 'expires=9'), link.slice(0, -1)].map(
      async (wrong) => (await fetch(served(wrong))).status,
    ),
  );
  expect(answers).toEqual([404, 404, 404]);
});

test('the link is in the progress comment from the start, and says that there is no report yet', async () => {
  const files = { 'a.txt': 'a\n', '.github/anode.yml': 'sandbox: preferred\n' };
  const shop = await stage.github.createRepository('acme/early', { files });
  shop.setPermission('ada', 'write');
  await shop.openIssue({ title: 'Early', author: 'ada' });
  let early: { readonly status: number; readonly says: string } | null = null;
  stage.learn('take your time', async () => {
    const progress = shop.comments(1).findLast(({ author }) => author === stage.app.login);
    const link = linkIn(progress?.body ?? '');
    const answer = await fetch(served(link));
    early = { status: answer.status, says: await answer.text() };
    return { text: 'It is whole.' };
  });
  const { id } = shop.comment(1, { author: 'ada', body: '@anode take your time' });
  await stage.report(shop, 1, id);
  expect(early).toEqual({ status: 404, says: expect.stringContaining('There is no report of this run yet') });
});

test('a repository that wants no link gets none', async () => {
  stage.learn('look at it', () => ({ text: 'It is red.' }));
  const body = await reportOn('acme/private', 'look at it', 'report:\n  linkDays: 0\n');
  expect({ answer: body.includes('It is red.'), link: body.includes(publicUrl) }).toEqual({
    answer: true,
    link: false,
  });
});
