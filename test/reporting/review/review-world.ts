import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { headSha, samplePlan } from '../samples.ts';

export const own = 'anode-ci[bot]';
export const plan = samplePlan({ profile: 'review', verb: 'review' });
const hunk = '@@ -1,4 +1,4 @@\n one\n two\n-old\n+three\n four\n';
export const diff = `diff --git a/src/a.js b/src/a.js\n--- a/src/a.js\n+++ b/src/a.js\n${hunk}`;
export const map = createHunkMap(diff);
export const apiError = (status: number) => Object.assign(new Error('Refused'), { status });

export interface World {
  /** The errors by which GitHub refuses one review after the other; null where it takes one. */
  readonly refusals?: readonly (Error | null)[];
  readonly reviews?: readonly object[];
  readonly comments?: readonly object[];
  /** Head and base branch that the pull request has by now. */
  readonly pull?: { readonly sha: string; readonly ref: string };
  readonly threads?: readonly object[];
}

/** A GitHub of one pull request; `asked` tells what was written, by its kind. */
export function world({ refusals = [], reviews = [], comments = [], pull, threads = [] }: World = {}) {
  const asked: [string, Record<string, unknown>][] = [];
  const logged: unknown[] = [];
  const left = [...refusals];
  const note = (kind: string) => async (query: object) => void asked.push([kind, { ...query }]);
  const octokit = {
    rest: {
      pulls: {
        listReviews: reviews,
        listReviewComments: comments,
        listFiles: [{ filename: 'src/a.js', status: 'modified', patch: hunk }],
        createReview: async (query: object) => {
          asked.push(['review', { ...query }]);
          const error = left.shift() ?? null;
          if (error !== null) throw error;
          return { data: { id: 5, html_url: 'https://r/5' } };
        },
        get: async (query: object) => {
          asked.push(['pull', { ...query }]);
          return { data: { head: { sha: pull?.sha ?? headSha }, base: { ref: pull?.ref ?? 'main' } } };
        },
        createReplyForReviewComment: note('reply'),
        dismissReview: note('dismiss'),
      },
      issues: { listComments: [] },
      reactions: {
        createForIssueComment: note('reaction'),
        deleteForIssueComment: note('no reaction'),
        listForIssueComment: [{ id: 3, content: 'eyes', user: { login: own } }],
      },
      users: {},
    },
    paginate: Object.assign(async (all: unknown) => all, {
      async *iterator(all: unknown) {
        yield { data: all };
      },
    }),
    graphql: async (query: string) => {
      if (query.startsWith('mutation')) {
        asked.push(['resolve', {}]);
        return {};
      }
      const pageInfo = { hasNextPage: false, endCursor: null };
      return { repository: { pullRequest: { reviewThreads: { nodes: threads, pageInfo } } } };
    },
  };
  const log = {
    info: (...line: unknown[]) => void logged.push(line),
    warn: (...line: unknown[]) => void logged.push(line),
  };
  const store = createMemoryStateStore();
  return {
    asked,
    logged,
    store,
    ports: { octokit, ownLogin: own, log, store, wait: async () => {} } as never,
  };
}
