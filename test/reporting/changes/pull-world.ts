import { expect } from 'vitest';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { headSha } from '../samples.ts';

export const own = 'anode-ci[bot]';
export const place = { owner: 'acme', repo: 'shop' };
export const apiError = (status: number, message = 'Refused') =>
  Object.assign(new Error(message), { status });
export const pull = (number: number, more: object = {}) => ({
  ...{ number, html_url: `https://p/${number}`, labels: [], user: { login: own }, body: '' },
  ...more,
});

export interface World {
  readonly head?: string | null;
  readonly commit?: Error | null;
  readonly open?: readonly (Error | null)[];
  readonly pulls?: readonly object[];
  readonly log?: readonly object[] | Error;
  readonly remove?: Error | null;
  readonly labels?: readonly string[];
  readonly fails?: Readonly<Record<string, Error>>;
}

/** A GitHub of one repository; `asked` tells what was written, by its kind. */
export function world({
  head = headSha,
  commit = null,
  open = [],
  pulls = [],
  log = [],
  remove = null,
  labels = [],
  fails = {},
}: World) {
  const asked: [string, object][] = [];
  const left = [...open];
  let stands = head;
  const note = (kind: string, data: unknown) => async (query: object) => {
    asked.push([kind, { ...query }]);
    const error = fails[kind];
    if (error !== undefined) throw error;
    return { data };
  };
  const octokit = {
    rest: {
      git: {
        getRef: async ({ ref }: { ref: string }) => {
          if (stands === null || ref === 'heads/none') throw apiError(404);
          if (ref === 'heads/broken') throw apiError(500);
          return { data: { object: { sha: stands } } };
        },
        createRef: async (query: { sha: string }) => {
          asked.push(['branch', { ...query }]);
          stands = query.sha;
        },
        deleteRef: async (query: object) => {
          asked.push(['delete', { ...query }]);
          if (remove !== null) throw remove;
        },
      },
      repos: {
        listCommits: async (query: object) => {
          asked.push(['log', { ...query }]);
          if (log instanceof Error) throw log;
          return { data: log };
        },
      },
      pulls: {
        list: pulls,
        create: async (query: object) => {
          asked.push(['open', { ...query }]);
          const error = left.shift() ?? null;
          if (error !== null) throw error;
          return { data: pull(9, { labels: [{ name: 'there' }] }) };
        },
        requestReviewers: note('reviewers', {}),
      },
      issues: {
        getLabel: async ({ name, owner, repo }: Record<string, string>) => {
          expect({ owner, repo }).toEqual(place);
          if (name === 'broken') throw apiError(500);
          if (!labels.includes(name ?? '')) throw apiError(404);
          return {};
        },
        addLabels: note('labels', {}),
        addAssignees: note('assignees', { assignees: [{ login: 'ADA' }] }),
      },
    },
    paginate: Object.assign(
      async (all: unknown, query: object) => {
        asked.push(['look', { ...query }]);
        return all;
      },
      {
        async *iterator() {
          yield { data: [] };
        },
      },
    ),
    graphql: async (_: string, { input }: { input: { message: object } }) => {
      asked.push(['commit', input.message]);
      if (commit !== null) throw commit;
      return { createCommitOnBranch: { commit: { oid: 'new', url: 'https://new' } } };
    },
  };
  const logged: unknown[] = [];
  const ports = {
    ...{ octokit, ownLogin: own, store: createMemoryStateStore(), runUrl: null, config: {} },
    ...{ pullRequestDiff: 'diff', wait: async () => {} },
    log: { info: () => {}, warn: (...line: unknown[]) => void logged.push(line) },
  };
  return { asked, logged, ports };
}
