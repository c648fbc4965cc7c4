import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { appPermissions } from '../support/app-process.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { call } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

vi.setConfig({ testTimeout: 90_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
  stage.learn('PAINT', (turn) =>
    turn === 1
      ? { calls: [call('edit_file', { path: 'colour.txt', old_str: 'red', new_str: 'blue' })] }
      : { text: 'It is blue.' },
  );
  stage.learn('HANDOFF', (turn) =>
    turn === 1
      ? {
          calls: [
            call('handoff', {
              ...{ target: 'user', summary: 'The palette needs a decision.', goal: 'Choose the palette' },
              recommended_next_steps: ['Ask the designers'],
            }),
          ],
        }
      : { text: 'Handed over.' },
  );
  stage.learn('Review the changes', () => ({ text: 'Fine.' }));
});
afterAll(() => stage.close());
beforeEach(() => stage.github.grant('anode-ci', appPermissions));

/** The permissions that any feature of the App takes. */
const everything = {
  ...appPermissions,
  actions: 'read',
  checks: 'write',
  statuses: 'write',
  workflows: 'write',
} as const;

const lacks = (permission: string) =>
  `The App lacks the permission \`${permission}\`. Add \`${permission}\` under Permissions in the App's settings, then accept it for this installation.`;

/** A repository of its own with a pull request, which no review was started for. */
async function scene(name: string) {
  const shop = await stage.github.createRepository(`acme/${name}`, {
    files: { 'colour.txt': 'red\n', '.github/anode.yml': 'review:\n  auto: false\nsandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  await shop.commit('side', { files: { 'b.txt': 'b\n' }, message: 'Add b', author: 'ada' });
  const { number } = await shop.openPullRequest({ title: 'Add b', head: 'side', author: 'ada' });
  return { shop, number };
}

/** Asks, and returns the report's lines about a permission, and the first line. */
async function ask(shop: RepositoryHandle, number: number, body: string) {
  const { id } = shop.comment(number, { author: 'ada', body });
  const report = await stage.report(shop, number, id);
  return report.split('\n').filter((line, index) => index === 0 || /permission/.test(line));
}

/** The granted permissions but for one, or with one at another level. */
const without = (name: keyof typeof everything, level?: 'read') => {
  const { [name]: _, ...rest } = everything;
  stage.github.grant('anode-ci', level === undefined ? rest : { ...rest, [name]: level });
};

test('an App that may only read code answers, and names the permission that a commit needs', async () => {
  const { shop, number } = await scene('reader');
  without('contents', 'read');
  expect(await ask(shop, number, '/anode fix PAINT')).toEqual([
    `**Not committed, as GitHub refused it: ${lacks('contents: write')}** The changes are in the patch below.`,
  ]);
});

test('an App without access to the code says so immediately, once', async () => {
  const { shop, number } = await scene('blind');
  without('contents');
  const { id } = shop.comment(number, { author: 'ada', body: '/anode fix PAINT' });
  await stage.until('an answer', () => shop.comments(number).some((one) => one.id > id));
  expect(shop.comments(number).map(({ author, body }) => [author, visible(body)])).toEqual([
    ['ada', '/anode fix PAINT'],
    ['anode-ci[bot]', `I could not read what this needs, so nothing was started. ${lacks('contents: read')}`],
  ]);
});

test('without write permission for issues the App works on pull requests, and a handoff is in the report', async () => {
  const { shop, number } = await scene('issueless');
  without('issues');
  const { id } = shop.comment(number, { author: 'ada', body: '@anode HANDOFF' });
  expect(await stage.report(shop, number, id)).toBe(
    [
      '**Done.**',
      'Handed over.',
      `- Handoff 1 of 1 (The palette needs a decision.) could not be posted: ${lacks('issues: write')}`,
      '<details><summary>Handoff without an issue</summary>',
      '**Choose the palette**',
      'The palette needs a decision.',
      '**Next steps**',
      '- [ ] Ask the designers',
      '<sub>Handed over by an Anode run on #1 for ada.</sub>',
      '</details>',
    ].join('\n\n'),
  );
});

test('without write permission for pull requests the App answers on issues and commits to a branch', async () => {
  const { shop } = await scene('pull-less');
  const { number } = await shop.openIssue({ title: 'Paint it', author: 'ada', body: 'PAINT' });
  without('pull_requests', 'read');
  const reported = await ask(shop, number, '/anode implement PAINT');
  const branch = /anode\/issue-2-\d+-\d+/.exec(reported[0] ?? '')?.[0] ?? '';
  expect([reported, await shop.git('show', `${branch}:colour.txt`)]).toEqual([
    [
      expect.stringMatching(/^\*\*Done\.\*\* Committed .*: 1 file changed\.$/),
      `- The pull request could not be opened: ${lacks('pull_requests: write')} The changes are on \`${branch}\`.`,
    ],
    'blue',
  ]);
});

test('a request on a pull request is done without any of the permissions that are optional there', async () => {
  const told: Record<string, unknown> = {};
  for (const name of ['actions', 'checks', 'statuses', 'workflows', 'issues'] as const) {
    const { shop, number } = await scene(`no-${name}`);
    without(name);
    const report = await ask(shop, number, '/anode fix PAINT');
    told[name] = [report, await shop.git('show', 'side:colour.txt')];
  }
  const done = [[expect.stringMatching(/^\*\*Done\.\*\* Committed .*: 1 file changed\.$/)], 'blue'];
  expect(told).toEqual({ actions: done, checks: done, statuses: done, workflows: done, issues: done });
});

test('a request on a pull request that the App may not read ends in the log, with the permission', async () => {
  const { shop, number } = await scene('pull-blind');
  without('pull_requests');
  shop.comment(number, { author: 'ada', body: '/anode fix PAINT' });
  const refused = (line: string) =>
    line.includes('"decision":"refuse"') && line.includes('pull_requests: write');
  await stage.server().untilLogged(() => stage.server().lines.some(refused));
  // A comment there needs the same permission.
  expect(shop.comments(number).map(({ author }) => author)).toEqual(['ada']);
});

test('a request on an issue that the App may not write to ends in the log, with the permission', async () => {
  const { shop } = await scene('mute');
  const { number } = await shop.openIssue({ title: 'Paint it', author: 'ada', body: 'PAINT' });
  without('issues', 'read');
  shop.comment(number, { author: 'ada', body: '@anode PAINT' });
  const said = () => stage.server().complaints.filter((line) => line.includes(lacks('issues: write')));
  await stage.server().untilLogged(() => said().length > 0);
  expect(shop.comments(number).map(({ author }) => author)).toEqual(['ada']);
});

test('a change of a workflow file that the configuration allows becomes a patch, with the reason', async () => {
  const shop = await stage.github.createRepository('acme/workflows', {
    files: {
      'colour.txt': 'red\n',
      '.github/anode.yml': "sandbox: preferred\nprotected:\n  allow: ['.github/workflows/paint.yml']\n",
    },
  });
  shop.setPermission('ada', 'write');
  const { number } = await shop.openIssue({ title: 'Paint it', author: 'ada', body: 'By hand.' });
  stage.github.grant('anode-ci', everything);
  stage.learn('AUTOMATE', (turn) =>
    turn === 1
      ? { calls: [call('create_file', { path: '.github/workflows/paint.yml', content: 'on: push\n' })] }
      : { text: 'It paints by itself.' },
  );
  const { id } = shop.comment(number, { author: 'ada', body: '/anode implement AUTOMATE' });
  const report = await stage.report(shop, number, id);
  expect([
    report.split('\n').filter((line) => /orkflow files/.test(line)),
    report.includes('+on: push'),
  ]).toEqual([
    [
      '**Not committed: The App asks for no token that may change workflow files. Apply the patch yourself.** The changes are in the patch below.',
    ],
    true,
  ]);
});
