import { expect, test } from 'vitest';
import { branchName, slugOf } from '../../../src/webhooks/plan/branch-name.ts';
import { keywordsOf, rankSimilar } from '../../../src/webhooks/plan/rank-alike.ts';
import { readFailingChecks } from '../../../src/webhooks/plan/read-failing-checks.ts';
import { readTriage } from '../../../src/webhooks/plan/read-triage.ts';
import { apiError, askedFor } from '../event-request.ts';

const clean = (text: string) => text.replaceAll('BAD', '');

interface Repository {
  readonly labels?: readonly object[];
  readonly listed?: readonly object[];
  readonly found?: readonly object[] | Error;
  readonly files?: readonly object[];
}
const other = (number: number, change: object = {}) => ({
  ...{ number, title: `Login fails ${number}`, body: null, state: 'open' },
  ...change,
});

/** Gives what a triage of thread 5 is told, and what GitHub was asked. */
async function triage(
  repository: Repository,
  {
    kind = 'issue',
    title = 'Login fails',
    body = '',
    allowed,
  }: { kind?: 'issue' | 'pull_request'; title?: string; body?: string; allowed?: string[] } = {},
) {
  const { labels = [], listed = [], found = [], files = [] } = repository;
  const asked: unknown[] = [];
  const pages: number[] = [];
  const octokit = {
    rest: {
      issues: {
        listLabelsForRepo: 'labels',
        listForRepo: async (query: object) => {
          asked.push(query);
          return { data: listed };
        },
      },
      search: {
        issuesAndPullRequests: async (query: object) => {
          asked.push(query);
          if (found instanceof Error) throw found;
          return { data: { items: found } };
        },
      },
      pulls: {
        listFiles: async (query: object) => {
          asked.push(query);
          return { data: files };
        },
      },
    },
    async paginate(
      what: string,
      query: { per_page: number },
      map: (page: { data: readonly object[] }, done: () => void) => object[],
    ) {
      asked.push([what, query]);
      const all: object[] = [];
      let ended = false;
      for (let at = 0; !ended; at += query.per_page) {
        const data = labels.slice(at, at + query.per_page);
        pages.push(data.length);
        all.push(
          ...map({ data }, () => {
            ended = true;
          }),
        );
      }
      return all;
    },
  };
  const trigger = askedFor({ thread: { kind, number: 5 } });
  const settings = allowed === undefined ? undefined : { labels: allowed };
  const facts = await readTriage(octokit as never, trigger, { title, body, settings }, clean);
  return { facts, asked, pages };
}
const place = { owner: 'acme', repo: 'shop' };

test('a triage gets the labels and the most similar threads, with no other requests', async () => {
  const { facts, asked, pages } = await triage({
    labels: [
      { name: 'BADbug\n2', description: 'It  isBAD broken' },
      { name: 'ui', description: null },
      { name: 'x', description: '' },
    ],
    listed: [
      other(3, { title: 'Login  failsBAD\nhere', body: 'with a BADtoken', state: 'closed' }),
      other(5),
      other(6, { pull_request: {} }),
    ],
    found: [other(3), other(9)],
  });
  expect(facts).toEqual({
    choices: { labels: ['BADbug\n2', 'ui', 'x'], candidates: [9, 3] },
    text: [
      ...['Labels of this repository:', '- bug 2: It is broken', '- ui', '- x', ''],
      ...['Threads that may say the same:', '- #9 (open) Login fails 9: ', '- #3 (open) Login fails 3: '],
    ].join('\n'),
  });
  expect(asked).toEqual([
    ['labels', { ...place, per_page: 100 }],
    { ...place, state: 'all', sort: 'updated', per_page: 100 },
    { q: 'repo:acme/shop is:issue login fail', per_page: 20 },
  ]);
  expect(pages).toEqual([3]);
});

test('a pull request is compared with pull requests, and its files are listed', async () => {
  const { facts, asked } = await triage(
    {
      listed: [other(3), other(6, { pull_request: {} })],
      files: [{ filename: 'a.ts', additions: 1, deletions: 2 }],
    },
    { kind: 'pull_request' },
  );
  expect(facts.choices).toEqual({ labels: [], candidates: [6] });
  expect(facts.text.split('\n').slice(0, 3)).toEqual(['Files that it changes:', '- a.ts (+1 −2)', '']);
  expect(asked.slice(1)).toEqual([
    { ...place, state: 'all', sort: 'updated', per_page: 100 },
    { q: 'repo:acme/shop is:pr login fail', per_page: 20 },
    { ...place, pull_number: 5, per_page: 100 },
  ]);
});

test('searches for the two longest words of the title, or of the body without one', async () => {
  const searched = async (title: string, body: string) => {
    const { asked } = await triage({}, { title, body });
    const query = asked[2] as { q: string } | undefined;
    return query?.q.split(' ').slice(2).join(' ');
  };
  expect([
    await searched('one refresh token expired', 'else'),
    await searched('', 'longer word here'),
    await searched('', ''),
  ]).toEqual(['refresh expired', 'longer word', undefined]);
  const { facts } = await triage({ listed: [other(3)], found: apiError(403) });
  expect(facts.choices.candidates).toEqual([3]);
});

test('labels, candidates and texts are limited', async () => {
  const labels = Array.from({ length: 301 }, (_, index) => ({ name: `l${index}`, description: null }));
  const many = await triage({ labels });
  expect([many.facts.choices.labels.length, many.facts.choices.labels.at(-1), many.pages]).toEqual([
    300,
    'l299',
    [100, 100, 100, 1],
  ]);
  expect((await triage({ labels }, { allowed: ['l3', 'l300', 'none'] })).facts.choices.labels).toEqual([
    'l3',
  ]);
  const listed = Array.from({ length: 12 }, (_, index) => other(index + 10, { title: 'Login fails' }));
  const { candidates } = (await triage({ listed })).facts.choices;
  expect(candidates).toEqual([21, 20, 19, 18, 17, 16, 15, 14, 13, 12]);
  const long = await triage({
    labels: [{ name: 'l', description: 'd'.repeat(201) }],
    listed: [other(3, { title: `Login fails ${'t'.repeat(200)}`, body: `Login ${'b '.repeat(400)}` })],
  });
  expect(long.facts.text.split('\n')).toEqual([
    ...['Labels of this repository:', `- l: ${'d'.repeat(200)}`, '', 'Threads that may say the same:'],
    `- #3 (open) ${`Login fails ${'t'.repeat(200)}`.slice(0, 200)}: ${`Login ${'b '.repeat(400)}`.slice(0, 400)}`,
  ]);
});

test('words are compared without case, plural and stop words', () => {
  expect([...keywordsOf('Tokens, TOKEN and as ab abc gas class ünder_1 please')]).toEqual([
    ...['token', 'abc', 'gas', 'clas', 'ünder_1'],
  ]);
  const [long] = keywordsOf('x'.repeat(41));
  expect([long?.length, keywordsOf('').size]).toEqual([40, 0]);
});

test('title words and rare words count more, and equal matches are newest first', () => {
  const thread = (number: number, title: string, body = '') => ({ number, title, body, state: 'open' });
  const rank = (title: string, body: string, ...others: ReturnType<typeof thread>[]) =>
    rankSimilar({ title, body }, others, 9).map(({ number }) => number);
  expect([
    rank('login', 'token', thread(1, 'token'), thread(2, 'login')),
    rank('', 'login token', thread(1, 'login'), thread(2, 'token'), thread(3, 'login')),
    rank('login', '', thread(1, 'login'), thread(2, '', 'login')),
    rank('a b c', '', thread(1, 'a')),
    rank('login', '', thread(1, '', `${'x '.repeat(1_999)} login`)),
    rank('login', '', thread(1, '', `${'x '.repeat(1_997)}login`)),
    rank('', `${'x '.repeat(1_999)} login`, thread(1, 'login')),
  ]).toEqual([[2, 1], [2, 3, 1], [2, 1], [], [], [1], []]);
  // A word that the other has weighs 0.41 here and one that it has not 0.69: of three such 0.16 is shared, of four 0.13.
  const one = (words: string) => rank('', words, thread(1, 'login'));
  expect([one('login bbb ccc ddd'), one('login bbb ccc ddd eee')]).toEqual([[1], []]);
});

const check = (id: number, conclusion: string | null, more: object = {}) => ({
  ...{ id, name: `check ${id}`, conclusion, app: { slug: 'ci' } },
  output: { title: null, summary: null, annotations_count: 0 },
  ...more,
});

/** Gives what is read of these checks, and what GitHub was asked. */
async function checks(
  runs: readonly object[] | Error,
  annotations: readonly object[] = [],
  log: unknown = '',
) {
  const asked: unknown[] = [];
  const answer = (data: unknown) => async (query: object) => {
    asked.push(query);
    if (data instanceof Error) throw data;
    return { data };
  };
  const rest = {
    checks: {
      listForRef: answer(runs instanceof Error ? runs : { check_runs: runs }),
      listAnnotations: answer(annotations),
    },
    actions: { downloadJobLogsForWorkflowRun: answer(log) },
  };
  return { found: await readFailingChecks({ rest } as never, place, 'sha'), asked };
}

test('four conclusions mean that a check failed', async () => {
  const all = ['failure', 'timed_out', 'action_required', 'startup_failure'];
  const others = ['success', 'neutral', 'cancelled', 'skipped', 'stale', '', null];
  const { found, asked } = await checks([...all, ...others].map((conclusion, id) => check(id, conclusion)));
  expect(found).toEqual(
    all.map((conclusion, id) => ({ name: `check ${id}`, conclusion, text: '', scripts: [] })),
  );
  expect(asked).toEqual([{ ...place, ref: 'sha', filter: 'latest', status: 'completed', per_page: 100 }]);
  const many = await checks(Array.from({ length: 9 }, (_, id) => check(id, 'failure')));
  expect(many.found?.length).toBe(8);
});

test('a failed check has title, summary, annotations and log, without empty parts', async () => {
  const noisy = check(4, 'failure', {
    output: { title: 'Title', summary: ' ', annotations_count: 1 },
    app: { slug: 'github-actions' },
  });
  const annotations = [
    { path: 'a.ts', start_line: 3, annotation_level: 'failure', title: 'T', message: 'M' },
    { path: 'b.ts', start_line: 4, annotation_level: null, title: null, message: null },
  ];
  const log = '2026-01-02T03:04:05.678Z one\nnone 2026-01-02T03:04:05.678Z two';
  const text = 'Title\n\na.ts:3 failure T M\nb.ts:4\n\none\nnone 2026-01-02T03:04:05.678Z two';
  const read = await checks([noisy], annotations, log);
  expect(read.found).toEqual([{ name: 'check 4', conclusion: 'failure', text, scripts: [] }]);
  expect(read.asked.slice(1)).toEqual([
    { ...place, check_run_id: 4, per_page: 20 },
    { ...place, job_id: 4 },
  ]);
  const bytes = new TextEncoder().encode('as bytes').buffer;
  const texts = [];
  for (const given of [bytes, { odd: true }, apiError(500)])
    texts.push((await checks([noisy], [], given)).found?.[0]?.text);
  expect(texts).toEqual(['Title\n\nas bytes', 'Title', 'Title']);
  const lines = Array.from({ length: 121 }, (_, index) => `l${index}`);
  expect((await checks([noisy], [], lines.join('\n'))).found?.[0]?.text).toBe(
    `Title\n\n${lines.slice(1).join('\n')}`,
  );
  // Only the end of a long log is looked at.
  expect((await checks([noisy], [], `${'x'.repeat(199_999)}\nend`)).found?.[0]?.text.slice(-5)).toBe(
    'x\nend',
  );
  expect((await checks([{ ...noisy, app: null }], [])).asked.length).toBe(2);
});

test('a token that may not read checks gives null, and any other failure is thrown', async () => {
  expect([(await checks(apiError(403))).found, (await checks(apiError(404))).found]).toEqual([null, null]);
  await expect(checks(apiError(500))).rejects.toThrow('HTTP 500');
});

const facts = {
  ...{ prefix: 'anode/', entityType: 'issue', entityNumber: '7', timestamp: '20260102-030405' },
  ...{ date: '20260102', slug: 's', sha: 'abc1234', requester: 'ada', run: 'run_1' },
};

test('characters that git refuses are removed from a name', () => {
  const name = (template: string, taken = 'main') => branchName(template, facts, taken);
  expect(
    [
      'a b',
      'a~^:c',
      'a..b',
      'a...b',
      'a--b',
      'a- -b',
      '.a',
      'a.',
      '-a-',
      'a.lock',
      'a.LOCK.lock',
      'a.lock/b',
      'a.-.lock',
      '.-.lock',
      'a//b/',
      '/a',
      '{{ none }}',
      '{{\tslug }}{{slug}}',
      'straße-é',
      'a_b.c-d',
      '@',
    ].map((template) => name(template)),
  ).toEqual([
    'a-b',
    'a-c',
    'a.b',
    'a.b',
    'a-b',
    'a-b',
    'a',
    'a',
    'a',
    'a',
    'a',
    'a/b',
    'a',
    'lock',
    'a/b',
    'a',
    'none',
    'ss',
    'strasse-e',
    'a_b.c-d',
    'anode-run_1',
  ]);
  expect([name('HEAD'), name('head'), name('MAIN'), name('mains')]).toEqual([
    'anode-run_1',
    'head',
    'MAIN-20260102-030405',
    'mains',
  ]);
});

test('a name has at most 120 characters and no partial ending', () => {
  const name = (template: string) => branchName(template, facts, 'main');
  expect([
    name('a'.repeat(121)),
    name(`${'a'.repeat(119)}/b`),
    name(`${'a'.repeat(119)}.b`),
    name(`${'a'.repeat(115)}.lock-b`),
  ]).toEqual(['a'.repeat(120), 'a'.repeat(119), 'a'.repeat(119), 'a'.repeat(115)]);
});

test('a slug is cut between words, at 40 characters', () => {
  expect([
    slugOf(` --One  two!${'x'.repeat(40)}`),
    slugOf(`${'a'.repeat(40)} b`),
    slugOf(`${'a'.repeat(38)} b`),
    slugOf(`${'a'.repeat(38)} bc`),
    slugOf('?'),
  ]).toEqual([`one-two`, 'a'.repeat(40), `${'a'.repeat(38)}-b`, 'a'.repeat(38), '']);
});
