import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';

export const own = 'anode-ci[bot]';
export const place = { owner: 'acme', repo: 'shop' };
export const apiError = (status: number, message = 'Refused') =>
  Object.assign(new Error(message), { status });

export interface World {
  readonly labels?: readonly (string | { name?: string })[];
  readonly known?: readonly string[];
  readonly pull?: object;
  readonly reactions?: readonly object[];
  readonly comments?: readonly object[];
  readonly fails?: Error | null;
}

export function world({
  labels = [],
  known = [],
  pull = {},
  reactions = [],
  comments = [],
  fails = null,
}: World = {}) {
  const asked: [string, object][] = [];
  const logged: unknown[] = [];
  const note = (kind: string) => async (query: object) => {
    asked.push([kind, { ...query }]);
    if (fails !== null) throw fails;
  };
  const octokit = {
    rest: {
      issues: {
        getLabel: async ({ name }: { name: string }) => {
          if (!known.includes(name)) throw apiError(404);
        },
        get: async (query: object) => {
          asked.push(['get', { ...query }]);
          return { data: { labels } };
        },
        addLabels: note('labels'),
        listComments: 'comments',
        createComment: async (query: { body: string }) => {
          asked.push(['comment', { ...query }]);
          return {
            data: { id: 5, html_url: 'https://c/5', body: query.body, created_at: '2026-01-03T00:00:00Z' },
          };
        },
      },
      pulls: {
        get: async () => ({ data: { title: 'Old', body: 'Said', ...pull } }),
        update: note('update'),
      },
      reactions: {
        listForIssueComment: 'issue',
        listForPullRequestReviewComment: 'review',
        createForIssueComment: note('on issue'),
        createForPullRequestReviewComment: note('on review'),
        deleteForIssueComment: note('off issue'),
        deleteForPullRequestComment: note('off review'),
      },
    },
    paginate: Object.assign(
      async (what: unknown, query: object) => {
        asked.push([String(what), { ...query }]);
        return reactions;
      },
      {
        async *iterator() {
          yield { data: comments };
        },
      },
    ),
  };
  const log = { info: () => {}, warn: (...line: unknown[]) => void logged.push(line) };
  const store = createMemoryStateStore();
  const ports = { octokit, ownLogin: own, store, log, wait: async () => {}, config: {}, session: null };
  return { asked, logged, store, ports };
}
