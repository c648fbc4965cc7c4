import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { IncomingEvent } from '../../src/contract/event.ts';
import type { SavedSession } from '../../src/contract/session.ts';
import { createOctokit } from '../../src/github/create-octokit.ts';
import type { DecideContext } from '../../src/webhooks/authorize/decide-context.ts';
import { type GitHub, startGitHub } from '../support/github/start-github.ts';
import { latestEvent } from '../support/latest-event.ts';
import { memoryStore } from './memory-store.ts';

export let github: GitHub;
export let store: ReturnType<typeof memoryStore>;
/** What the clock of GitHub and of the decision shows, in milliseconds; it moves by `tick` only. */
export let time = Date.parse('2026-01-02T03:04:05Z');
export const tick = (seconds = 10): void => {
  time += seconds * 1000;
};
let token: string;

/** Starts a GitHub for the file that calls it, and gives each of its tests a store of its own. */
export function startDecideFixture(): void {
  beforeAll(async () => {
    github = await startGitHub({ now: () => new Date(time) });
    const app = github.addApp({
      slug: 'anode-ci',
      permissions: { contents: 'write', issues: 'write', pull_requests: 'write' },
    });
    token = github.createToken({
      actor: app.login,
      permissions: { contents: 'read', issues: 'read', pull_requests: 'read' },
    });
  });
  afterAll(() => github.close());
  beforeEach(() => {
    store = memoryStore();
  });
}

/** What a decision needs, with a token that can only read. */
export function decideContext(settings: Partial<DecideContext['settings']> = {}): DecideContext {
  return {
    octokit: createOctokit({ apiUrl: github.apiUrl, token, wait: async () => {} }),
    store,
    sanitise: (text) => text.replaceAll('HIDDEN', ''),
    clock: () => new Date(time),
    ids: { runId: () => 'run_1', sessionId: () => 'session_1' },
    log: () => {},
    settings: {
      host: 'app',
      ownLogins: ['anode-ci[bot]'],
      serverUrl: 'https://github.test',
      overrides: {},
      operatorConfig: {},
      sandbox: 'required',
      dryRun: false,
      ...settings,
    },
  };
}

/** The newest delivery of an event, as a webhook of an installation brings it. */
export function latest(name: string, action: string): IncomingEvent {
  const { payload, ...event } = latestEvent(github, name, action, 'guid');
  return { ...event, payload: { ...payload, installation: { id: 42, node_id: 'x' } } };
}

/** A session that was saved just now and waits for nothing but what `change` says. */
export function savedSession(change: Partial<SavedSession>): SavedSession {
  return {
    version: 1,
    run_id: 'run_0',
    session_id: 'session_0',
    plan: null,
    messages: [],
    question: null,
    todos: [],
    approvals: [],
    findings: [],
    usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    turns: 1,
    patch: '',
    base_sha: null,
    profile: 'craft',
    model: 'm',
    preset: 'careful',
    saved_at: new Date(time).toISOString(),
    ...change,
  };
}
