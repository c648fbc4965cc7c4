import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/json.ts';
import { type VerbName, verbNames } from '../../src/contract/verbs.ts';
import { appPermissions } from '../support/app-process.ts';
import { visible } from '../support/find-report.ts';
import type { RepositoryHandle } from '../support/github/repository-handle.ts';
import { threadTools } from './every-tool/thread-tools.ts';
import { commitOf } from './support/commit-of.ts';
import { call, lastResults } from './support/conversation.ts';
import { type Part, type Stage, startStage } from './support/start-app.ts';

let stage: Stage;
let shop: RepositoryHandle;
beforeAll(async () => {
  stage = await startStage({}, { ...appPermissions, checks: 'write', actions: 'read' });
  shop = await stage.github.createRepository('acme/shop', {
    files: { 'a.txt': 'red\n', '.github/anode.yml': 'review: { auto: false }\nsandbox: preferred\n' },
  });
  shop.setPermission('ada', 'write');
  await shop.openIssue({ title: 'Known', author: 'ada', labels: ['bug'] });
});
afterAll(() => stage.close());

/** One verb on its own thread: earlier texts, the comment, and the result. */
interface Row {
  readonly on: 'pull' | 'issue';
  /** A run that must exist before, and the model's actions in it. */
  readonly first?: { readonly say: string; readonly waits?: true };
  /** Said below the first finding of the thread. */
  readonly below?: true;
  /** The text after the verb; a function gets the text of our newest comment. */
  readonly words?: string | ((newest: string) => string);
  /** The model's part for tasks that hold the words. */
  readonly model?: readonly [words: string, part: Part];
  /** The first paragraph of the report or the answer; left out for a verb that says nothing. */
  readonly answer?: unknown;
  /** The expected state of GitHub afterwards. */
  readonly seen?: readonly [look: (number: number) => unknown, expected: unknown];
}

/** Calls one tool after the other, then says the words. */
const calls =
  (reply: string, ...tools: (readonly [name: string, input: JsonObject])[]): Part =>
  (turn) => {
    const next = tools[turn - 1];
    return next === undefined ? { text: reply } : { calls: [call(...next)] };
  };
const paint = (to: string) => ['edit_file', { path: 'a.txt', old_str: 'red', new_str: to }] as const;
const finding = { path: 'a.txt', line: 1, severity: 'high', category: 'bug', title: 'Wrong', body: 'It is.' };
const bodyOf = (number: number) => visible(shop.pulls().find((one) => one.number === number)?.body ?? '');
const labelsOf = (number: number) => shop.issues().find((one) => one.number === number)?.labels;
const newestOf = (number: number) => visible(shop.comments(number).at(-1)?.body ?? '');
const hashIn = (newest: string) => /approve ([0-9a-f]{16})/.exec(newest)?.[1] ?? '';
const committed = /^\*\*Done\.\*\* Committed .*: 1 file changed\./;
const threadResults: string[] = [];

const reviewing: Row['model'] = [
  'Review the changes',
  calls('One.', ['report_findings', { findings: [{ ...finding, path: 'b.txt' }] }]),
];

const rows = {
  task: {
    on: 'pull',
    words: 'VERB-TASK',
    model: ['VERB-TASK', calls('Painted.', paint('blue'))],
    answer: expect.stringMatching(committed),
    seen: [async () => (await commitOf(shop, 'work-task')).files, ['M a.txt']],
  },
  review: {
    on: 'pull',
    model: reviewing,
    answer: expect.stringMatching(/^\*\*1 open finding\*\*/),
    seen: [(number) => shop.reviewComments(number).map(({ path, line }) => [path, line]), [['b.txt', 1]]],
  },
  fix: {
    on: 'pull',
    words: 'VERB-FIX',
    model: ['VERB-FIX', calls('Fixed.', paint('green'))],
    answer: expect.stringMatching(committed),
  },
  ask: {
    on: 'issue',
    words: 'VERB-ASK',
    model: [
      'VERB-ASK',
      (turn, request) => {
        threadResults.push(lastResults(request));
        const input = [{ query: 'VERB-ASK' }, { messages: [{ index: 0 }] }][turn - 1];
        const name = ['chat_search', 'chat_read_messages'][turn - 1];
        return name === undefined || input === undefined
          ? { text: 'It is red.' }
          : { calls: [call(name, input)] };
      },
    ],
    answer: '**Done.**',
    seen: [
      () => threadResults.slice(1),
      [expect.stringContaining('\nVERB-ASK\n'), expect.stringContaining('About ask')],
    ],
  },
  describe: {
    on: 'pull',
    model: ['Describe this pull request', calls('Done.', ['describe_pull_request', { body: 'It adds b.' }])],
    answer: '**Done.** The description says what changes.',
    seen: [bodyOf, expect.stringContaining('It adds b.')],
  },
  improve: {
    on: 'pull',
    model: [
      'Suggest improvements',
      calls('One.', ['edit_file', { path: 'b.txt', old_str: 'one', new_str: 'two' }]),
    ],
    answer: expect.stringMatching(/^\*\*Done\.\*\*/),
    seen: [
      (number) => shop.reviewComments(number).map(({ body }) => visible(body)),
      [expect.stringContaining('```suggestion\ntwo\n```')],
    ],
  },
  plan: {
    on: 'issue',
    words: 'VERB-PLAN',
    model: ['VERB-PLAN', calls('1. Paint it.')],
    answer: expect.stringMatching(/^\*\*Done\.\*\* \[The plan\]/),
  },
  implement: {
    on: 'issue',
    words: 'VERB-IMPLEMENT',
    model: ['VERB-IMPLEMENT', calls('Paint it', paint('pink'))],
    answer: expect.stringMatching(/^\*\*Done\.\*\* Opened /),
    seen: [(number) => shop.pulls().filter(({ body }) => body?.includes(`#${number}`)).length, 1],
  },
  triage: {
    on: 'issue',
    model: ['Sort this thread', calls('A bug.', ['set_labels', { labels: ['bug'], duplicate_of: [] }])],
    seen: [labelsOf, ['bug']],
  },
  answer: {
    on: 'pull',
    first: { say: 'task VERB-ANSWER' },
    words: 'blue',
    model: [
      'VERB-ANSWER',
      (turn, request) =>
        turn === 1
          ? { calls: [call('ask_user', { question: 'Which?', options: ['Blue', 'Green'] })] }
          : { text: lastResults(request) },
    ],
    answer: '**Answered, nothing changed.**',
    seen: [
      (number) => visible(shop.comments(number).at(-1)?.body ?? ''),
      expect.stringContaining('The user chose: blue (Blue)'),
    ],
  },
  approve: {
    on: 'pull',
    first: { say: 'plan VERB-APPROVE' },
    words: hashIn,
    model: [
      'VERB-APPROVE',
      (turn, request) =>
        request.tools.some(({ name }) => name === 'bash')
          ? calls('Painted.', paint('grey'))(turn, request)
          : { text: '1. VERB-APPROVE: paint it grey.' },
    ],
    answer: expect.stringMatching(committed),
  },
  deny: {
    on: 'pull',
    first: { say: 'plan VERB-DENY' },
    words: (newest) => `${hashIn(newest)} not now`,
    model: ['VERB-DENY', calls('1. Paint it.')],
    answer: expect.stringMatching(/plan/),
  },
  resolve: {
    on: 'pull',
    first: { say: 'review' },
    model: reviewing,
    below: true,
    seen: [(number) => shop.reviewThreads(number).map(({ resolvedBy }) => resolvedBy), ['anode-ci[bot]']],
  },
  dismiss: {
    on: 'pull',
    first: { say: 'review' },
    model: reviewing,
    below: true,
    seen: [(number) => shop.reviewThreads(number).map(({ resolvedBy }) => resolvedBy), ['anode-ci[bot]']],
  },
  continue: {
    on: 'issue',
    first: { say: 'ask turns=1 VERB-CONTINUE' },
    model: [
      'VERB-CONTINUE',
      (turn) => (turn === 1 ? { calls: [call('read', { path: 'a.txt' })] } : { text: 'Went on.' }),
    ],
    answer: '**Done.**',
  },
  retry: {
    on: 'issue',
    first: { say: 'ask VERB-RETRY' },
    model: ['VERB-RETRY', calls('Again.')],
    answer: '**Done.**',
  },
  stop: {
    on: 'issue',
    first: { say: 'ask VERB-STOP', waits: true },
    model: ['VERB-STOP', () => ({ fault: 'stall' })],
    seen: [
      (number) => visible(shop.comments(number)[1]?.body ?? '').split('\n')[0],
      '**Cancelled.** Stopped by ada.',
    ],
  },
  config: {
    on: 'issue',
    answer: 'Configuration of this thread:',
    seen: [newestOf, expect.stringContaining('| `review.auto` | `false` | .github/anode.yml |')],
  },
  status: {
    on: 'pull',
    seen: [newestOf, expect.stringContaining('- **Runs:** none works or waits.\n- **Findings:** none open.')],
  },
  doctor: {
    on: 'issue',
    seen: [newestOf, expect.stringContaining('| ✅ | You | ada has write permission here |')],
  },
  help: { on: 'issue', seen: [newestOf, expect.stringMatching(/\/anode implement[\s\S]*\/anode help/)] },
} as const satisfies Readonly<Record<VerbName, Row>>;

const table: Readonly<Record<string, Row>> = rows;

/** A thread of its own, named after the verb. */
async function threadFor(verb: string, on: Row['on']): Promise<number> {
  if (on === 'issue') return (await shop.openIssue({ title: `About ${verb}`, author: 'ada' })).number;
  const head = `work-${verb}`;
  await shop.commit(head, { files: { 'b.txt': 'one\n' }, message: verb, author: 'ada' });
  return (await shop.openPullRequest({ title: `About ${verb}`, head, author: 'ada', body: 'By hand.' }))
    .number;
}

const ours = (number: number, after: number) =>
  shop.comments(number).filter(({ id, author }) => id > after && author === stage.app.login);

test.each(Object.keys(table))('/anode %s', async (verb) => {
  const row = table[verb];
  if (row === undefined) throw new Error(`no row for ${verb}`);
  const number = await threadFor(verb, row.on);
  if (row.model !== undefined) stage.learn(...row.model);
  let last = 0;
  if (row.first !== undefined) {
    const { id } = shop.comment(number, { author: 'ada', body: `/anode ${row.first.say}` });
    if (row.first.waits === true)
      await stage.until('the run', () => stage.requestsFor(`VERB-${verb.toUpperCase()}`).length > 0);
    else await stage.report(shop, number, id);
    last = id;
  }
  stage.passTime();
  const newest = ours(number, last)
    .map(({ body }) => body)
    .join('\n');
  const words = typeof row.words === 'function' ? row.words(newest) : (row.words ?? '');
  const replyText = { author: 'ada', body: `/anode ${verb} ${words}`.trim() };
  const root = shop.reviewComments(number)[0]?.id ?? 0;
  const { id } =
    row.below === true ? shop.replyToReviewComment(root, replyText) : shop.comment(number, replyText);
  if (row.answer !== undefined) {
    const runs = row.model !== undefined && verb !== 'deny';
    if (!runs) await stage.until('an answer', () => ours(number, id).length > 0);
    const text = runs ? await stage.report(shop, number, id) : visible(ours(number, id)[0]?.body ?? '');
    expect(text.split('\n\n')[0]).toEqual(row.answer);
  }
  const { seen } = row;
  if (seen !== undefined) await expect.poll(() => seen[0](number)).toEqual(seen[1]);
});

test('each verb has a row, and each tool that needs a thread was called', () => {
  expect(Object.keys(table)).toEqual(verbNames);
  expect(threadTools).toEqual(['chat.search', 'chat.read_messages', 'set_labels']);
});
