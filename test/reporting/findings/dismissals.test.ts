import { expect, test } from 'vitest';
import { dismissalIn } from '../../../src/contract/dismissal.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import type { OwnReviewComment } from '../../../src/reporting/findings/own-posts.ts';
import { isReopened, readDismissals } from '../../../src/reporting/findings/read-dismissals.ts';
import { resolveThreads } from '../../../src/reporting/findings/review-threads.ts';
import { writeMarker } from '../../../src/reporting/text/marker.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { samplePlan } from '../samples.ts';

const own = 'anode-ci[bot]';
const apiError = (status: number) => Object.assign(new Error('Refused'), { status });

test('recognises usual dismissals at the start of an answer', () => {
  const yes = [
    ...['wontfix', 'wont fix', "won't fix", 'won’t fix', 'will not fix', 'WONTFIX!'],
    ...['not a bug', 'not an issue', 'not a problem', 'not a defect', 'false positive', 'a false positive'],
    ...['intended', 'as intended', 'intentional', 'by design', 'works as intended', 'working as intended'],
    ...[
      'dismiss',
      'dismissed',
      'This is intended',
      'that is by design',
      'it is intentional',
      "it's intended",
    ],
    ...['it’s by design', "that's intended", '- by design', '**Dismissed**: see above'],
  ];
  const no = [
    ...['wontfixed', 'dismisses', 'I think it is intended', 'not bug', 'intend', 'designed', 'falsepositive'],
    ...['this intended', 'works intended to', 'fix', 'It may be by design'],
  ];
  expect(yes.filter((words) => !(dismissalIn(words) !== null))).toEqual([]);
  expect(no.filter((words) => dismissalIn(words) !== null)).toEqual([]);
  const long = (length: number) => `dismiss ${'x'.repeat(length - 8)}`;
  expect([
    dismissalIn(long(2_000)) !== null,
    dismissalIn(long(2_001)) !== null,
    dismissalIn('  > quoted\nby design') !== null,
    dismissalIn('> by design') !== null,
  ]).toEqual([...[true, false, true, false]]);
});

const remark = (fp: string, more: Partial<OwnReviewComment> = {}): OwnReviewComment => ({
  ...{ fp, fields: {}, id: 11, nodeId: 'n', reviewId: 1, path: 'a', side: 'RIGHT', line: 1, diffHunk: '' },
  ...{ body: '', createdAt: '2026-01-02T03:04:05Z', thumbsDown: 0, replies: [], ...more },
});
const reply = (login: string, body = 'by design', bot = false) => ({ login, bot, body });
const thread = (resolvedBy: string | null, resolved = resolvedBy !== null) => ({
  id: 't',
  resolved,
  resolvedBy,
});

/** Gives who let each finding go, and what GitHub was asked. */
async function dismissals(
  remarks: readonly OwnReviewComment[],
  threads: ReadonlyMap<number, ReturnType<typeof thread>> | null = null,
  reactions: readonly object[] = [],
) {
  const asked: string[] = [];
  const may: Record<string, string> = { ada: 'write', root: 'admin', eve: 'read', rex: 'triage' };
  const octokit = {
    rest: {
      reactions: { listForPullRequestReviewComment: 'reactions' },
      repos: {
        getCollaboratorPermissionLevel: async ({ owner, repo, username }: Record<string, string>) => {
          asked.push(`${owner}/${repo} ${username}`);
          if (username === 'app') throw apiError(404);
          if (username === 'closed') throw apiError(403);
          if (username === 'down') throw apiError(500);
          return { data: { permission: may[username ?? ''] ?? 'none' } };
        },
      },
    },
    paginate: async (_: unknown, query: object) => {
      asked.push(JSON.stringify(query));
      return reactions;
    },
  };
  const found = await readDismissals(remarks, threads, samplePlan(), {
    octokit: octokit as never,
    ownLogin: own,
  });
  return { found: [...found], asked };
}

test('accepts dismissals by answer, resolved thread or 👎 from writers only', async () => {
  const by = async (...replies: ReturnType<typeof reply>[]) =>
    (await dismissals([remark('f', { replies })])).found;
  expect([
    await by(reply('ada')),
    await by(reply('root')),
    await by(reply('eve')),
    await by(reply('rex')),
    await by(reply('app')),
    await by(reply('closed')),
    await by(reply('ada', 'Fixed')),
    await by(reply('ada', 'by design', true)),
    await by(reply(own)),
    await by(reply('eve'), reply('ada'), reply('root')),
  ]).toEqual([...[[['f', 'ada']], [['f', 'root']]], ...[[], [], [], [], [], [], []], [['f', 'ada']]]);
  await expect(by(reply('down'))).rejects.toThrow('Refused');
  const resolved = async (at: ReturnType<typeof thread>) =>
    (await dismissals([remark('f')], new Map([[11, at]]))).found;
  expect([
    await resolved(thread('ada')),
    await resolved(thread(null, true)),
    await resolved(thread('ada', false)),
    await resolved(thread('anode-ci')),
  ]).toEqual([[['f', 'ada']], ...[[], [], []]]);
});

test('reads reactions only if there are any, and each account once', async () => {
  const thumbs = [{ user: null }, { user: { login: 'eve' } }, { user: { login: 'ada' } }];
  const { found, asked } = await dismissals(
    [
      remark('f', { createdAt: '2026-01-02T03:04:05Z', thumbsDown: 3 }),
      remark('g', { replies: [reply('ada')] }),
    ],
    null,
    thumbs,
  );
  expect([found, asked]).toEqual([
    [
      ['f', 'ada'],
      ['g', 'ada'],
    ],
    [
      '{"owner":"acme","repo":"shop","comment_id":11,"content":"-1","per_page":100}',
      ...['acme/shop eve', 'acme/shop ada'],
    ],
  ]);
  expect((await dismissals([remark('f')], null, thumbs)).asked).toEqual([]);
});

test('reopens a finding if nothing dismisses it any more', () => {
  const again = (more: Partial<OwnReviewComment>, at: ReturnType<typeof thread> | undefined = thread(null)) =>
    isReopened(remark('f', more), at);
  expect([
    again({}),
    isReopened(remark('f'), undefined),
    again({}, thread('ada')),
    again({ createdAt: '2026-01-02T03:04:05Z', thumbsDown: 1 }),
    again({ replies: [reply('eve')] }),
    again({ replies: [reply('eve', 'by design', true), reply('eve', 'Fixed')] }),
  ]).toEqual([true, false, false, false, false, true]);
});

const known = (id: string, state: PreviousFinding['state']): PreviousFinding => ({
  ...{ id, path: 'a', side: 'RIGHT', line: 1, severity: 'low', category: 'bug', title: id, check: null },
  ...{ anchor: '', window: '', occurrence: 0, state, run_id: 'run_0', dismissed_by: null, fixed: null },
});

/** Resolves threads on a pull request with one comment for each finding, whose ids begin at 1. */
async function resolve(
  findings: readonly PreviousFinding[],
  root: number | null,
  given: { resolved?: readonly number[]; graphql?: Error; hidden?: boolean; store?: boolean } = {},
) {
  const done: unknown[] = [];
  const store = createMemoryStateStore();
  await store.set('review/7', JSON.stringify({ version: 1, reviewed: null, findings }));
  const review = { id: 9, body: writeMarker('review', { run: 'run_0' }), user: { login: own } };
  const comments = findings.map(({ id }, index) => ({
    ...{
      id: index + 1,
      body: writeMarker('finding', { fp: id }),
      user: { login: own },
      pull_request_review_id: 9,
    },
  }));
  const nodes = findings.map((_, index) => ({
    ...{ id: `t${index + 1}`, isResolved: given.resolved?.includes(index + 1) ?? false, resolvedBy: null },
    comments: { nodes: [{ fullDatabaseId: index + 1 }] },
  }));
  const octokit = {
    rest: { pulls: { listReviews: [review], listReviewComments: comments } },
    paginate: async (all: unknown) => all,
    graphql: async (query: string, variables: { id: string }) => {
      if (query.startsWith('mutation')) {
        if (given.graphql !== undefined) throw given.graphql;
        return done.push(variables.id);
      }
      if (given.hidden) throw apiError(403);
      const pageInfo = { hasNextPage: false, endCursor: null };
      return { repository: { pullRequest: { reviewThreads: { nodes, pageInfo } } } };
    },
  };
  const ports = { octokit: octokit as never, ownLogin: own, store: given.store === false ? null : store };
  const words = await resolveThreads({ plan: samplePlan(), root, by: 'ada' }, ports);
  const kept = JSON.parse((await store.get('review/7')) ?? '');
  return { words, done, states: kept.findings.map((one: PreviousFinding) => [one.state, one.dismissed_by]) };
}

test('resolves threads of fixed and dismissed findings, and dismisses the requested one', async () => {
  const all = [known('a', 'open'), known('b', 'dismissed'), known('c', 'fixed')];
  const none = 'None of my open threads is about a fixed finding. A review checks this: request one first.';
  const say = async (...args: Parameters<typeof resolve>) => {
    const { words, done } = await resolve(...args);
    return [words, done];
  };
  expect([
    await say(all, null),
    await say(all, null, { resolved: [2] }),
    await say(all, null, { resolved: [2, 3] }),
    await say(all, null, { store: false }),
    await say(all, 1, { hidden: true }),
    await say(all, 4),
    await say(all, null, { graphql: apiError(403) }),
  ]).toEqual([
    ['Resolved 2 threads of fixed or dismissed findings.', ['t2', 't3']],
    ['Resolved 1 thread of fixed or dismissed findings.', ['t3']],
    [none, []],
    [none, []],
    ['I may not see the threads of this pull request.', []],
    ['This thread is not one of mine, so I leave it alone.', []],
    ['GitHub does not let me resolve threads here.', []],
  ]);
  await expect(resolve(all, null, { graphql: new Error('ours') })).rejects.toThrow('ours');
  const one = await resolve(all, 1);
  const fixed = await resolve(all, 2);
  expect([
    one,
    fixed.states,
    (await resolve(all, 1, { resolved: [1] })).done,
    (await resolve(all, 1, { store: false })).states,
  ]).toEqual([
    {
      words: '',
      done: ['t1'],
      states: [
        ['dismissed', 'ada'],
        ['dismissed', null],
        ['fixed', null],
      ],
    },
    [
      ['open', null],
      ['dismissed', null],
      ['fixed', null],
    ],
    [],
    [
      ['open', null],
      ['dismissed', null],
      ['fixed', null],
    ],
  ]);
});
