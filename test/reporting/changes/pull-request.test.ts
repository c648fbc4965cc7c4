import { expect, test } from 'vitest';
import {
  completePullRequest,
  openPullRequest,
  renderPullRequest,
} from '../../../src/reporting/changes/pull-request.ts';
import { readCommitStyle } from '../../../src/reporting/changes/read-commit-style.ts';
import { existingLabels } from '../../../src/reporting/posting/existing-labels.ts';
import { readTemplate } from '../../../src/reporting/posting/read-template.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { headSha, sampleOutcome, samplePlan } from '../samples.ts';
import { apiError, place, pull, type World, world } from './pull-world.ts';

test('finds the run’s pull request by author and marker', async () => {
  const mark = (run: string) => writeMarker('pull-request', { run });
  const target = { branch: 'bot/a', base: 'next', expected_sha: headSha };
  const text = { title: 'T', body: 'B', draft: true };
  const find = async (...pulls: object[]) => {
    const { asked, ports } = world({ pulls });
    const { number, ...rest } = await openPullRequest(samplePlan(), target, text, ports as never);
    return [number, rest, asked.map(([kind]) => kind)];
  };
  const whole = pull(4, {
    ...{ body: mark('run_1'), labels: [{ name: 'l' }], assignees: [{ login: 'a' }] },
    ...{ requested_reviewers: [{ login: 'r' }], requested_teams: [{ slug: 't' }] },
  });
  const others = [
    pull(1, { body: mark('run_2') }),
    pull(2, { body: mark('run_1'), user: { login: 'eve' } }),
    pull(3, { body: mark('run_1'), user: null }),
  ];
  expect([
    await find(...others, whole),
    await find(...others),
    await find(pull(5, { body: mark('run_1'), assignees: null })),
  ]).toEqual([
    [4, { url: 'https://p/4', labels: ['l'], assignees: ['a'], reviewers: ['r', 't'] }, ['look']],
    [9, { url: 'https://p/9', labels: ['there'], assignees: [], reviewers: [] }, ['look', 'open']],
    [5, { url: 'https://p/5', labels: [], assignees: [], reviewers: [] }, ['look']],
  ]);
});

test('opens a ready pull request if GitHub refuses drafts', async () => {
  const target = { branch: 'bot/a', base: 'next', expected_sha: headSha };
  const open = async (draft: boolean, ...errors: Error[]) => {
    const { asked, ports } = world({ open: errors });
    await openPullRequest(samplePlan(), target, { title: 'T', body: 'B', draft }, ports as never);
    return asked.flatMap(([kind, query]) => (kind === 'open' ? [Reflect.get(query, 'draft')] : []));
  };
  expect([await open(true, apiError(422)), await open(true), await open(false)]).toEqual([
    ...[[true, false], [true], [false]],
  ]);
  await expect(open(true, apiError(403, 'No'))).rejects.toThrow('No');
  await expect(open(false, apiError(422, 'Odd'), apiError(422))).rejects.toThrow('Odd');
});

const opened = { number: 9, url: 'u', labels: ['Bug'], assignees: ['Bob'], reviewers: ['rex', 'team'] };
const user = samplePlan().requester;

test('adds what a pull request lacks, each once', async () => {
  const { asked, ports } = world({ labels: ['ui', 'bug'] });
  const settings = {
    ...{ labels: ['bug', 'ui', 'UI', 'none'], assignees: ['bob', 'ada'], assignRequester: true },
    ...{ reviewers: ['REX', 'eve'], teamReviewers: ['team', 'core'] },
  };
  expect(await completePullRequest(opened, settings, samplePlan(), ports as never)).toEqual([]);
  expect(asked).toEqual([
    ['labels', { ...place, issue_number: 9, labels: ['ui'] }],
    ['assignees', { ...place, issue_number: 9, assignees: ['ada'] }],
    ['reviewers', { ...place, pull_number: 9, reviewers: ['eve'], team_reviewers: ['core'] }],
  ]);
});

test('requests only missing items', async () => {
  const dress = async (settings: object, requester = user) => {
    const { asked, ports } = world({ labels: ['ui'] });
    const failures = await completePullRequest(opened, settings, samplePlan({ requester }), ports as never);
    return [asked.map(([kind]) => kind), failures];
  };
  const nothing = [[], []];
  expect([
    await dress({}),
    await dress({ labels: ['BUG'], assignees: ['BOB'], reviewers: ['Rex'], teamReviewers: ['TEAM'] }),
    await dress({ labels: ['none'] }),
    await dress({ assignRequester: true }, { ...user, type: 'Bot' }),
    await dress({ assignRequester: false }),
    await dress({ teamReviewers: ['core'] }),
    await dress({ assignRequester: true }),
    await dress({ assignees: ['eve', 'x'] }),
  ]).toEqual([
    ...[nothing, nothing, nothing, nothing, nothing],
    [['reviewers'], []],
    [['assignees'], []],
    [
      ['assignees'],
      ['#9 is not assigned to `eve`, `x`: GitHub accepts at most ten assignees, and only users with access.'],
    ],
  ]);
});

test('reports GitHub’s refusals, and throws a defect', async () => {
  const all = { labels: ['ui'], assignees: ['ada'], reviewers: ['eve'] };
  const dress = async (error: Error) => {
    const fails = { labels: error, assignees: error, reviewers: error };
    return completePullRequest(opened, all, samplePlan(), world({ labels: ['ui'], fails }).ports as never);
  };
  const long = `${'x'.repeat(199)}…`;
  expect(await dress(apiError(422, 'x'.repeat(300)))).toEqual([
    ...[`#9 got no labels: ${long}`, `#9 got no assignees: ${long}`, `#9 got no reviewers: ${long}`],
  ]);
  await expect(dress(new Error('ours'))).rejects.toThrow('ours');
});

test('uses only labels that the repository has', async () => {
  const { ports } = world({ labels: ['a', 'c'] });
  expect(await existingLabels(['a', 'b', 'c'], place, ports as never)).toEqual(['a', 'c']);
  await expect(existingLabels(['broken'], place, ports as never)).rejects.toThrow('Refused');
});

test('learns the style of people’s commits, or uses the configured one', async () => {
  const commit = (message: string, author: object | null) => ({ author, commit: { message }, parents: [{}] });
  const merge = { ...commit('fix: x', null), parents: [{}, {}] };
  const pushed = { ...commit('fix: x', null), commit: { message: 'fix: x', author: { name: 'a[bot]' } } };
  const style = async (given: World, change: object = {}) => {
    const { logged, ports } = world(given);
    return [await readCommitStyle(samplePlan(), { ...ports, ...change } as never), logged];
  };
  const conventional = ['fix: a\n\nB', 'feat: b', 'fix: c', 'docs: d', 'fix: e'];
  const bots = Array.from({ length: 20 }, () => commit('Bump', { type: 'Bot' }));
  const [learnt] = await style({ log: [...bots, ...conventional.map((words) => commit(words, null))] });
  const others = ['Say a', 'Say b', 'Say c', 'Say d', 'Say e'].map((words) => commit(words, null));
  const [said] = await style({ log: [...Array(9).fill(merge), ...Array(9).fill(pushed), ...others] });
  const [plain, told] = await style({ log: apiError(403) });
  expect([learnt, plain, told]).toMatchObject([
    { form: 'conventional' },
    { form: 'plain' },
    [[{ run: 'run_1', status: 403 }, 'The style of commits could not be read.']],
  ]);
  const [asked] = await style({ log: apiError(403) }, { config: { commit: { style: 'conventional' } } });
  expect(said).toEqual(plain);
  expect(asked).toEqual({ ...(plain as object), form: 'conventional', capital: false });
  await expect(style({ log: new Error('ours') })).rejects.toThrow('ours');
});

test('uses the configured template, or one at a usual place', async () => {
  const read = async (
    kind: 'pull_request' | 'handoff',
    setting: string | false | undefined,
    files: object = {},
  ) => {
    const asked: string[] = [];
    const readBaseFile = async (path: string) => {
      asked.push(path);
      return (Reflect.get(files, path) as string | undefined) ?? null;
    };
    return [await readTemplate(kind, setting, { readBaseFile }), asked];
  };
  const none = { template: null, problem: null };
  const usual = [
    ...['.github/pull_request_template.md', '.github/PULL_REQUEST_TEMPLATE.md', 'pull_request_template.md'],
    ...['PULL_REQUEST_TEMPLATE.md', 'docs/pull_request_template.md', 'docs/PULL_REQUEST_TEMPLATE.md'],
  ];
  const problem = 'The template a.md is no file of the base branch.';
  expect([
    await read('pull_request', undefined),
    await read('handoff', undefined),
    await read('pull_request', false),
    await read('handoff', 'a.md', { 'a.md': 'A' }),
    await read('pull_request', 'a.md'),
    await read('handoff', 'a.md', { 'a.md': 'A'.repeat(30_000) }),
    await read('handoff', 'a.md', { 'a.md': 'A'.repeat(30_001) }),
    [await readTemplate('handoff', 'a.md', {}), []],
  ]).toEqual([
    [none, usual],
    [none, []],
    [none, []],
    [{ template: 'A', problem: null }, ['a.md']],
    [{ template: null, problem }, ['a.md']],
    [{ template: 'A'.repeat(30_000), problem: null }, ['a.md']],
    [{ template: null, problem }, ['a.md']],
    [none, []],
  ]);
});

test('closes only the plan’s issue', () => {
  const plan = samplePlan({
    verb: 'implement',
    thread: { kind: 'issue', number: 3, title: 'support week numbers' },
    push: { kind: 'new_branch', branch: 'anode/issue-3', base: 'main', expected_sha: headSha, closes: 3 },
  });
  const outcome = sampleOutcome({
    answer: 'Weeks work. Closes #99',
    todos: [{ id: '1', content: 'Weeks', status: 'completed' }],
  });
  expect(renderPullRequest(outcome, plan, { runUrl: null })).toEqual({
    title: 'Support week numbers',
    body: [
      '<!-- anode:pull-request v1 run=run_1 -->\nWeeks work. Closes \u200b#99',
      '- [x] Weeks',
      'Closes #3',
      '<sub>Made by an Anode run for ada, with anthropic/claude.</sub>',
    ].join('\n\n'),
  });
});

test('uses the answer’s headline as title, and only there', () => {
  const answer = 'Keep the later end of ranges\n\nA range inside an earlier one cut it short.';
  const { title, body } = renderPullRequest(sampleOutcome({ answer }), samplePlan(), { runUrl: null });
  expect({ title, first: body.split('\n')[1] }).toEqual({
    title: 'Keep the later end of ranges',
    first: 'A range inside an earlier one cut it short.',
  });
});

test('neutralises the title in a template', () => {
  const answer = 'Keep <b> of [it](//evil.test)\n\nMore.';
  const { title, body } = renderPullRequest(sampleOutcome({ answer }), samplePlan(), {
    runUrl: null,
    template: '{{title}}',
  });
  expect({ title, last: body.split('\n\n').at(-3) }).toEqual({
    title: 'Keep <b> of [it](//evil.test)',
    last: 'Keep &lt;b> of [it]\u200b(//evil.test)',
  });
});
