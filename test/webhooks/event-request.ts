import type { EventRequest } from '../../src/webhooks/authorize/authorize-event.ts';
import type { Trigger } from '../../src/webhooks/commands/trigger.ts';

/** A task that ada asked for in a comment on pull request 5 of acme/shop, with what `change` says. */
export const askedFor = (change: Partial<Trigger> = {}): Trigger => ({
  kind: 'task',
  automated: false,
  event: 'issue_comment.created',
  repository: { owner: 'acme', name: 'shop' },
  thread: { kind: 'pull_request', number: 5 },
  actor: { login: 'ada', id: 7, type: 'User' },
  text: 'fix it',
  note: null,
  comment: { id: 9, kind: 'issue_comment' },
  location: null,
  at: '2026-01-02T03:04:05.000Z',
  head_sha: null,
  installation_id: 42,
  ...change,
});

/** The head of pull request 5, and the head of its base branch. */
export const headSha = 'b'.repeat(40);
export const baseSha = 'a'.repeat(40);

/** A trigger that was judged: by ada, who may write, on pull request 5, with nothing that waits. */
export const eventRequest = (trigger: Trigger, change: Partial<EventRequest> = {}): EventRequest => ({
  kind: 'request',
  trigger,
  authorization: {
    kind: 'allowed',
    requester: { login: 'ada', id: 7, type: 'User', permission: 'write' },
  },
  facts: {
    repositoryId: 1,
    repository: {
      owner: 'acme',
      name: 'shop',
      default_branch: 'main',
      clone_url: 'https://github.test/acme/shop.git',
      private: false,
    },
    baseBranch: 'main',
    baseHead: baseSha,
    title: 'Two',
    pull: {
      number: 5,
      title: 'Two',
      state: 'open',
      head: { ref: 'topic', sha: headSha, repository: 'acme/shop' },
      base: { ref: 'main', sha: baseSha },
    },
  },
  config: {},
  triggers: {
    mention: 'bot',
    label: 'bot:implement',
    labels: { 'bot:implement': 'implement' },
    accounts: [],
    allowBots: [],
  },
  configSource: null,
  configLayers: [],
  trustedBranch: null,
  configError: null,
  waiting: null,
  sessions: [],
  autorun: null,
  ...change,
});

/** An error as GitHub's API answers it. */
export const apiError = (status: number): Error => Object.assign(new Error(`HTTP ${status}`), { status });
