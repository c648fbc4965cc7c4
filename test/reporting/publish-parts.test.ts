import { expect, test } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.ts';
import type { RunPlan } from '../../src/contract/plan.ts';
import { publish } from '../../src/reporting/publish.ts';
import { createMemoryStateStore } from '../../src/state/memory-state-store.ts';
import { finding, handoff, headSha, sampleOutcome, samplePlan } from './samples.ts';

const apiError = (status: number, message = 'Refused') => Object.assign(new Error(message), { status });

interface World {
  readonly outcome?: Partial<Outcome>;
  readonly plan?: Partial<RunPlan>;
  readonly ports?: object;
  readonly finish?: Error;
  readonly progress?: null;
}

/** Publishes a run whose comment with the progress stands; `asked` tells what was written, by its kind. */
async function run(given: World = {}) {
  const asked: unknown[] = [];
  const note = (kind: string, data: unknown) => async (query: { body?: string }) => {
    asked.push([kind, ...(query.body === undefined ? [] : [query.body.split('\n')[0]])]);
    return { data };
  };
  let own = '';
  const comment = { id: 6, html_url: 'https://c/6', created_at: 't' };
  const octokit = {
    rest: {
      issues: {
        listComments: [],
        getComment: async () => ({ data: { ...comment, body: own } }),
        updateComment: note('edit', {}),
        getLabel: async () => ({}),
        get: async () => ({ data: { labels: [] } }),
        addLabels: note('labels', {}),
        create: note('issue', { number: 9, html_url: 'https://i/9', title: 'T', labels: [] }),
        createComment: async (query: { body: string }) => {
          asked.push(['comment', query.body.split('\n')[0]]);
          return { data: { ...comment, body: query.body } };
        },
      },
      pulls: { listReviews: [], listReviewComments: [] },
      reactions: { createForIssueComment: note('thumb', {}) },
    },
    paginate: Object.assign(async () => [], {
      async *iterator() {
        yield { data: [] };
      },
    }),
    graphql: async () => ({}),
  };
  const store = createMemoryStateStore();
  await store.claim('making/run_1/x/1', 'x');
  let closed = false;
  const progress = {
    finish: async (report: string) => {
      asked.push(['report', report.split('\n')[0]]);
      if (given.finish !== undefined) throw given.finish;
      return { id: 5, url: 'https://c/5' };
    },
    remove: async () => void asked.push(['remove']),
    become: async (body: string) => {
      asked.push(['become', body.split('\n')[1]]);
      own = body;
      closed = true;
      return { id: 5, url: 'https://c/5' };
    },
    isClosed: () => closed,
  };
  const logged: unknown[] = [];
  const ports = {
    ...{ octokit, store, progress: given.progress === null ? null : progress, ownLogin: 'anode-ci[bot]' },
    ...{ runUrl: null, pullRequestDiff: null, session: null, config: {}, wait: async () => {} },
    log: { info: () => {}, warn: (...line: unknown[]) => void logged.push(line) },
    ...given.ports,
  };
  const plan = samplePlan({ trigger_comment: null, ...given.plan });
  const done = await publish(sampleOutcome(given.outcome), plan, ports as never);
  return { done, asked, left: await store.list('making/') };
}
const report = (line: string) => ['report', line];

test('ends a run without changes as its report, and forgets its claims', async () => {
  const { done, asked, left } = await run();
  expect([done, asked, left]).toEqual([
    {
      ...{ issues: [], downgrades: [], failures: [], patch: '', comment: { id: 5, url: 'https://c/5' } },
      report: done.report,
    },
    [report('**Answered, nothing changed.**')],
    [],
  ]);
});

test('posts the report as a comment if there is a thread', async () => {
  const posted = await run({ progress: null });
  const nowhere = await run({ progress: null, plan: { thread: null } });
  expect([posted.done.comment, posted.asked, nowhere.done.comment, nowhere.asked]).toEqual([
    { id: 6, url: 'https://c/6' },
    [['comment', '<!-- anode:progress v1 run=run_1 -->']],
    undefined,
    [],
  ]);
});

const triage: Partial<RunPlan> = { verb: 'triage', triage: { labels: ['bug'], candidates: [3] } };
const sorted = (labels: string[], duplicates: number[]) => ({ answer: '', triage: { labels, duplicates } });

test('replaces the report of a triage by its labels, unless a person must look', async () => {
  const kinds = async (given: World) => (await run(given)).asked.map((one) => (one as string[])[0]);
  const asker = { id: 99, kind: 'issue_comment' } as const;
  expect([
    await kinds({ plan: triage, outcome: sorted(['bug'], []) }),
    await kinds({ plan: triage, outcome: sorted(['bug'], [3]) }),
    await kinds({ plan: { ...triage, trigger_comment: asker }, outcome: sorted([], []) }),
    await kinds({ plan: { ...triage, trigger_comment: asker }, outcome: { answer: 'Words.' } }),
    await kinds({ plan: triage, outcome: { answer: 'Words.' } }),
    await kinds({ plan: triage, outcome: { ...sorted([], []), conclusion: 'limit' } }),
    await kinds({ outcome: sorted([], []) }),
  ]).toEqual([
    ['labels', 'remove'],
    ['labels', 'report'],
    ['remove', 'thumb'],
    ['report'],
    ['remove'],
    ['report'],
    ['report'],
  ]);
});

test('posts nothing for an unrequested empty review if configured', async () => {
  const review = { verb: 'review', profile: 'review' } as const;
  const silent = { config: { review: { empty: 'silent' } } };
  const last = async (given: World) => {
    const { asked } = await run({ plan: review, ports: silent, ...given });
    return (asked.at(-1) as string[])[0];
  };
  expect([
    await last({}),
    await last({ ports: {} }),
    await last({ outcome: { unreported: 'report_findings' } }),
    await last({ outcome: { conclusion: 'limit' } }),
    await last({ plan: {} }),
  ]).toEqual(['remove', 'become', 'become', 'become', 'report']);
});

test('creates issues for people and the next thread, and names other handoffs', async () => {
  const { done } = await run({
    outcome: { handoffs: [handoff, { ...handoff, target: 'parent', summary: 'Go\n@on' }] },
  });
  expect([done.issues, done.downgrades]).toEqual([
    [{ number: 9, url: 'https://i/9', title: 'T' }],
    ['A handoff to `parent` went to the mailbox of that name, which ended with the run: Go @\u200bon'],
  ]);
});

const question = { question: 'Which?', options: [], allow_freeform: true, required: true, questions: [] };
const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n';
const changes = { base_sha: headSha, patch, files: [] };

test('reports requests that cannot be posted, and returns the changes', async () => {
  const told = async (outcome: Partial<Outcome>) => {
    const { done } = await run({ outcome: { conclusion: 'waiting', changes, ...outcome } });
    return [done.failures, done.patch];
  };
  const approval = { tool: 'bash', what: 'w', reason: 'r', hash: 'h', call_id: 'c', waits: true };
  expect([await told({ question }), await told({ pending_approval: approval }), await told({})]).toEqual([
    [['No answer can resume this run, as its question could not be posted.'], patch],
    [['No approval can resume this run, as its request could not be posted.'], patch],
    [[], patch],
  ]);
});

test('uploads findings of complete runs to code scanning', async () => {
  const uploads = async (outcome: Partial<Outcome>, error: Error | null = null) => {
    let count = 0;
    const uploadSarif = async () => {
      count += 1;
      if (error !== null) throw error;
    };
    const { done } = await run({ outcome, ports: { uploadSarif } });
    return [count, done.failures];
  };
  expect([
    await uploads({}),
    await uploads({ conclusion: 'limit' }),
    await uploads({ unreported: 'report_findings' }),
    await uploads({}, apiError(403, 'Not enabled')),
  ]).toEqual([
    [1, []],
    [0, []],
    [0, []],
    [1, ['The findings for code scanning could not be posted: Not enabled']],
  ]);
});

test('throws a defect, or reports it if no one retries', async () => {
  const broken = { uploadSarif: async () => Promise.reject(new Error('ours')) };
  await expect(run({ ports: broken })).rejects.toThrow('ours');
  const { done } = await run({ ports: { ...broken, reportsDefects: true } });
  const words =
    'The findings for code scanning could not be finished for a defect of Anode CI itself. Its log has the cause.';
  expect([done.failures, done.defect, done.comment]).toEqual([[words], words, { id: 5, url: 'https://c/5' }]);
});

test('returns the changes if GitHub refuses the report', async () => {
  const lost = { conclusion: 'waiting' as const, changes };
  const { done } = await run({ finish: apiError(403, 'Locked'), outcome: lost });
  expect([done.comment, done.changes_issue, done.failures, done.patch]).toEqual([
    undefined,
    { number: 9, url: 'https://i/9' },
    ['The report could not be posted: Locked'],
    patch,
  ]);
  const nothing = await run({ finish: apiError(403, 'Locked') });
  expect(nothing.done.changes_issue).toBeUndefined();
  const down = { finish: apiError(503, 'Down') };
  expect((await run(down)).done.failures).toEqual(['The report could not be posted: Down']);
  await expect(run({ ...down, ports: { triedAgain: true } })).rejects.toThrow('Down');
  await expect(run({ ...down, ports: { triedInOutage: true } })).rejects.toThrow('Down');
});

test('suggests unapproved changes on lines, or returns a patch', async () => {
  const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-old\n+one\n two\n';
  const edit = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-one\n+eins\n two';
  const approvals = [{ tool: 'edit', what: 'a', reason: 'r', hash: 'h', call_id: 'c', diff: edit }];
  const left = async (
    pullRequestDiff: string | null,
    more: Partial<Outcome> = {},
    plan: Partial<RunPlan> = {},
  ) => {
    const comments: unknown[] = [];
    const octokit = {
      rest: {
        issues: { listComments: [] },
        pulls: {
          createReview: async (query: { comments: unknown[] }) => {
            comments.push(...query.comments);
            return { data: { id: 1, html_url: 'r' } };
          },
        },
      },
      paginate: Object.assign(async () => [], {
        async *iterator() {
          yield { data: [] };
        },
      }),
    };
    const ports = { octokit, pullRequestDiff };
    const { done } = await run({ outcome: { approvals, ...more } as never, plan, ports });
    return [done.patch, comments.length];
  };
  expect([
    await left(null),
    await left(diff),
    await left('diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n'),
    await left(diff, { approvals: [] }),
  ]).toEqual([
    [`${edit}\n`, 0],
    ['', 1],
    [`${edit}\n`, 0],
    ['', 0],
  ]);
});

test('reports findings of a review without a pull request', async () => {
  const { done } = await run({
    plan: { verb: 'review', profile: 'review', thread: { kind: 'issue', number: 7, title: 'T' } },
    outcome: { findings: [finding] },
  });
  expect([done.told, done.report.includes('Off by one')]).toEqual([undefined, true]);
});
