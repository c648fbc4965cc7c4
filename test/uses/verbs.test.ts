import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import { appPermissions } from '../support/app-process.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { allTextOf, call, taskOf, textOf } from './support/conversation.ts';
import { type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;

const config = `
models: { allow: [anthropic/claude-opus-5] }
limits: { maxCostUsd: 5 }
triggers:
  label: { 'ai:implement': implement, 'ai:describe': describe }
`;
const lines = (changed: Readonly<Record<number, string>>) =>
  `${Array.from({ length: 12 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join('\n')}\n`;

beforeAll(async () => {
  stage = await startStage({}, { ...appPermissions, checks: 'write', actions: 'read' });
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.txt': lines({}), '.github/anode.yml': `${config}review: { auto: false }\n` },
  });
  shop.setPermission('ada', 'write');
  shop.setPermission('rex', 'read');
});
afterAll(() => stage.close());

/** A pull request that changes line 3, by a branch of that name. */
async function pullRequest(name: string, body = 'By hand.') {
  await shop.commit(name, { files: { 'a.txt': lines({ 3: name }) }, message: name, author: 'ada' });
  return shop.openPullRequest({ title: `About ${name}`, head: name, author: 'ada', body });
}

/** Says something and waits for the first comment of ours after it. */
async function say(number: number, body: string): Promise<string> {
  stage.passTime();
  const { id } = shop.comment(number, { author: 'ada', body });
  const find = () => shop.comments(number).find((one) => one.id > id && one.author === stage.app.login);
  await stage.until(`an answer to ${body}`, () => find() !== undefined);
  return visible(find()?.body ?? '');
}

/** Says something and waits for the report of the run it starts. */
async function run(number: number, body: string): Promise<string> {
  stage.passTime();
  return stage.report(shop, number, shop.comment(number, { author: 'ada', body }).id);
}

test('ask answers from the code, also below text that limits a run, and can change nothing', async () => {
  stage.learn('What does a.txt hold?', (turn) =>
    turn === 1 ? { calls: [call('read', { path: 'a.txt' })] } : { text: 'Twelve lines (a.txt:1).' },
  );
  const { number } = await shop.openIssue({ title: 'A question', author: 'rex' });
  expect(await run(number, '/anode ask budget=$2 effort=low What does a.txt hold?')).toBe(
    `**Done.**\n\nTwelve lines ([a.txt:1](${shop.url}/blob/${await shop.head('main')}/a.txt#L1)).`,
  );
  const [request] = stage.requestsFor('What does a.txt hold?');
  const names = request?.tools.map(({ name }) => name) ?? [];
  expect(names.filter((name) => /edit|create|patch|bash/.test(name))).toEqual([]);
  expect(request === undefined ? '' : taskOf(request)).not.toContain('budget');
});

test("unavailable flags and flags that exceed a run's rights are refused with a sentence", async () => {
  const { number } = await shop.openIssue({ title: 'Flags', author: 'rex' });
  const reply: string[] = [];
  for (const words of ['task model=anthropic/huge go', 'task budget=$50 go', 'task go sandbox=off'])
    reply.push((await say(number, `/anode ${words}`)).split('\n')[0] ?? '');
  expect(reply).toEqual([
    'That model is not allowed here. Allowed models (`models.allow`): `anthropic/claude-opus-5`.',
    'A run may cost $5 at most here (`limits.maxCostUsd`).',
    '`sandbox` cannot be set in a comment: the configuration of the base branch sets the rights of a run. If it is part of your text, put it in backticks.',
  ]);
  stage.learn('Chosen model', () => ({ text: 'Here.' }));
  await run(number, '/anode ask Chosen model? model=anthropic/claude-opus-5');
  expect(stage.requestsFor('Chosen model').map(({ model }) => model)).toEqual(['claude-opus-5']);
});

test('fix gets the failures and commits to the branch of the pull request', async () => {
  const { number } = await pullRequest('broken');
  const head = (await shop.head('broken')) ?? '';
  const ci = stage.github.addApp({ slug: 'github-actions', permissions: { checks: 'write' } });
  const octokit = createOctokit({
    apiUrl: stage.github.apiUrl,
    token: stage.github.createToken({ actor: ci.login, permissions: { checks: 'write' } }),
  });
  const { data: check } = await octokit.rest.checks.create({
    ...{ owner: 'acme', repo: 'shop', name: 'unit', head_sha: head },
    conclusion: 'failure',
    output: {
      title: 'One failed',
      summary: 'Line three is wrong.',
      annotations: [
        { path: 'a.txt', start_line: 3, end_line: 3, annotation_level: 'failure', message: 'expected three' },
      ],
    },
  });
  shop.logJob(check.id, '2026-01-02T03:04:05.678Z not ok 1\n2026-01-02T03:04:06.789Z # fail 1\n');
  stage.learn('Fix this pull request', (turn) =>
    turn === 1
      ? {
          calls: [call('edit_file', { path: 'a.txt', old_str: 'broken', new_str: 'three' })],
        }
      : { text: 'Mend line three\n\nIt said something else.' },
  );
  expect(await run(number, '/anode fix')).toMatch(
    /^\*\*Done\.\*\* Committed .* to `broken`: 1 file changed\./,
  );
  const [request] = stage.requestsFor('Fix this pull request');
  const reported = request === undefined ? '' : allTextOf(request);
  expect(reported).toContain('<untrusted kind="failing-check" name="unit" conclusion="failure">');
  expect(reported).toContain('a.txt:3 failure  expected three\n\nnot ok 1\n# fail 1');
  expect(await shop.git('show', 'broken:a.txt')).toBe(lines({ 3: 'three' }).trimEnd());
});

test("describe writes its part of the description next to the author's text, and replaces it later", async () => {
  const { number } = await pullRequest('described', 'Words of ada.');
  const body = () => visible(shop.pulls().find((pull) => pull.number === number)?.body ?? '');
  let version = 'first';
  stage.learn('Describe this pull request', (turn) =>
    turn === 1
      ? {
          calls: [
            call('describe_pull_request', {
              title: 'Never',
              body: `Line three, ${version} (@rex, closes #1).`,
            }),
          ],
        }
      : { text: 'Done.' },
  );
  expect(await run(number, '/anode describe')).toBe('**Done.** The description says what changes.\n\nDone.');
  const first = body();
  version = 'second';
  // The label stands for the command.
  const before = shop.comments(number).at(-1)?.id ?? 0;
  stage.passTime();
  shop.addLabel(number, 'ai:describe', { actor: 'ada' });
  await stage.report(shop, number, before);
  expect([first, body()]).toEqual(
    ['first', 'second'].map((one) =>
      expect.stringMatching(new RegExp(`^Words of ada\\.\\s+Line three, ${one} `)),
    ),
  );
  expect(first).not.toContain('(@rex');
  expect(shop.pulls().find((pull) => pull.number === number)?.title).toBe('About described');
});

test('improve suggests on the lines of the pull request and commits nothing', async () => {
  const { number } = await pullRequest('improved');
  const head = await shop.head('improved');
  stage.learn('Suggest improvements', (turn) =>
    turn === 1
      ? {
          calls: [call('edit_file', { path: 'a.txt', old_str: 'improved', new_str: 'better' })],
        }
      : { text: 'One is shorter.' },
  );
  await run(number, '/anode improve');
  expect(shop.reviewComments(number).map(({ line, body }) => ({ line, body: visible(body) }))).toEqual([
    { line: 3, body: expect.stringContaining('```suggestion\nbetter\n```') },
  ]);
  expect(await shop.head('improved')).toBe(head);
});

test('triage sets existing labels and posts nothing, unless another issue is a duplicate', async () => {
  const known = await shop.openIssue({
    title: 'Checkout crashes when the cart is empty',
    body: 'The payment page crashes.',
    author: 'rex',
    labels: ['bug'],
  });
  const { number } = await shop.openIssue({
    title: 'Crash at checkout with an empty cart',
    body: 'TRIAGE-A: it crashes on the payment page.',
    author: 'rex',
  });
  let duplicates: number[] = [];
  const answers: string[] = [];
  stage.learn('Sort this thread', (turn, request) => {
    answers.push(textOf(request.messages.at(-1)));
    if (turn === 1) return { calls: [call('set_labels', { labels: ['bug', 'urgent!!'], duplicate_of: [] })] };
    if (turn === 2) return { calls: [call('set_labels', { labels: ['Bug'], duplicate_of: duplicates })] };
    return { text: 'A crash.' };
  });
  const before = shop.comments(number).length;
  stage.passTime();
  const comment = shop.comment(number, { author: 'ada', body: '/anode triage' });
  const issue = () => shop.issues().find((one) => one.number === number);
  await stage.until('a label', () => issue()?.labels.length === 1);
  await stage.until('a sign', () => shop.reactions(comment).some(({ content }) => content === '+1'));
  expect([issue()?.labels, shop.comments(number).length - before]).toEqual([['bug'], 1]);
  expect(answers[0]).toContain(`#${known.number} (open) Checkout crashes`);
  expect(answers[1]).toContain('Not labels of this repository: urgent!!.');
  duplicates = [known.number];
  expect(await run(number, '/anode triage')).toBe(
    `**Done.** Labels: \`bug\`. Perhaps the same as #${known.number}.\n\nA crash.`,
  );
});

test('a run stopped by a limit continues from there, and retry starts from the beginning', async () => {
  const { number } = await shop.openIssue({ title: 'Long', author: 'rex' });
  stage.learn('LONG-WORK', (turn, request) => {
    if (allTextOf(request).includes('The run was stopped')) return { text: 'Went on.' };
    return turn === 1 ? { calls: [call('read', { path: 'a.txt' })] } : { text: 'At once.' };
  });
  const stopped = await run(number, '/anode ask turns=1 LONG-WORK please');
  expect(stopped.split('\n\n').slice(0, 2)).toEqual([
    '**Stopped at a limit.** The run used its 1 turns before it was done.',
    'To go on from here, with a limit of its own: `/anode continue`. Or raise `turns=` in the request, which set the limit.',
  ]);
  expect(await run(number, '/anode continue and hurry')).toBe('**Done.**\n\nWent on.');
  const [first, last] = shop.comments(number).filter(({ author }) => author === stage.app.login);
  expect(first?.body).toContain(
    `\n\nContinued [here](${shop.url}/issues/${number}#issuecomment-${last?.id}).\n\n`,
  );
  expect(first?.body).not.toContain('/anode continue');
  const requests = stage.requestsFor('LONG-WORK');
  expect(textOf(requests.at(-1)?.messages.at(-1))).toContain('The requester adds:\nand hurry');
  expect((await say(number, '/anode continue')).split('\n')[0]).toBe(
    'No stopped run on this thread can continue.',
  );
  expect(await run(number, '/anode retry turns=5')).toBe('**Done.**\n\nAt once.');
  expect(stage.requestsFor('LONG-WORK').at(-2)?.messages.length).toBe(1);
});

test('fix and resolve below a finding concern that finding', async () => {
  const { number } = await pullRequest('found');
  stage.learn('Review the changes', (turn) =>
    turn === 1
      ? {
          calls: [
            call('report_findings', {
              findings: [
                {
                  ...{ path: 'a.txt', line: 3, severity: 'high', category: 'correctness' },
                  ...{ title: 'Three is gone', body: 'Nobody finds three now.' },
                },
              ],
            }),
          ],
        }
      : { text: 'See the line.' },
  );
  await run(number, '/anode review');
  const [remark] = shop.reviewComments(number);
  expect(remark).toMatchObject({ line: 3 });
  const root = remark?.id ?? 0;
  stage.learn('Fix what the comment says', () => ({ text: 'It is right as it is.' }));
  const after = shop.comments(number).at(-1)?.id ?? 0;
  stage.passTime();
  shop.replyToReviewComment(root, { author: 'ada', body: '/anode fix' });
  await stage.report(shop, number, after);
  const [request] = stage.requestsFor('Fix what the comment says');
  expect(request === undefined ? '' : taskOf(request)).toContain('Nobody finds three now.');
  expect(shop.reviewThreads(number)).toMatchObject([{ root, resolvedBy: null }]);
  const word = shop.replyToReviewComment(root, { author: 'ada', body: '/anode resolve' });
  await stage.until('a sign', () => shop.reactions(word).some(({ content }) => content === '+1'));
  expect(shop.reviewThreads(number)).toMatchObject([{ root, resolvedBy: 'anode-ci[bot]' }]);
  expect(await say(number, '/anode resolve')).toMatch(/^None of my open threads/);
});

test('config, doctor, help and an unknown command are answered in one comment each', async () => {
  const { number } = await shop.openIssue({ title: 'How', author: 'rex' });
  const settings = await say(number, '/anode config');
  expect(settings.split('\n').filter((line) => /maxCostUsd|models|preset|label/.test(line))).toEqual([
    '| `models.allow` | `["anthropic/claude-opus-5"]` | .github/anode.yml |',
    '| `limits.maxCostUsd` | `5` | .github/anode.yml |',
    '| `triggers.label.ai:implement` | `implement` | .github/anode.yml |',
    '| `triggers.label.ai:describe` | `describe` | .github/anode.yml |',
    '| `permissions.preset` | `careful` | default |',
  ]);
  const health = await say(number, '/anode doctor');
  expect(health).toContain('| ✅ | `contents` | write, to check out and to commit |');
  expect(health).toContain('| ✅ | You | ada has write permission here |');
  expect(health).toContain('its key is set (not tried)');
  expect(settings + health).not.toContain('canary-key');
  const help = await say(number, '/anode help');
  expect(help.split('\n').filter((line) => line.includes('/anode')).length).toBeGreaterThan(8);
  const slips = ['/anode triaje', '@anode triaje', '/anode xylophone now'];
  const reports: string[] = [];
  for (const slip of slips) reports.push(await say(number, slip));
  expect(reports).toEqual([
    '`/anode triaje` is not a command. Did you mean `/anode triage`?\n\n`/anode help` lists what I understand. Ask in a new comment: an edit starts nothing.',
    '"triaje" is not a command, so nothing was started. Did you mean `/anode triage`? If it is the task itself, write `/anode task triaje`.\n\n`/anode help` lists what I understand. Ask in a new comment: an edit starts nothing.',
    '`/anode xylophone` is not a command.\n\n`/anode help` lists what I understand. Ask in a new comment: an edit starts nothing.',
  ]);
  expect(shop.comments(number).filter(({ author }) => author === stage.app.login)).toHaveLength(6);
});
