import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { IncomingEvent } from '../../src/contract/event.ts';
import { wakingClock } from '../../src/github/clock.ts';
import { createContentBudget } from '../../src/github/content-budget.ts';
import type { EntryContext } from '../../src/pipeline/context/broker-context.ts';
import { createLog } from '../../src/redaction/create-log.ts';
import { createFileStateStore } from '../../src/state/file-state-store.ts';
import type { DeliveryAttempt } from '../../src/webhooks/deliveries/queue.ts';
import { type GitHub, startGitHub } from './github/start-github.ts';
import { latestEvent } from './latest-event.ts';
import type { Script } from './model/script.ts';
import { type ScriptedModel, startScriptedModel } from './model/scripted-model.ts';

export const login = 'anode-ci[bot]';
const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;

export let github: GitHub;
export let model: ScriptedModel;
export let folder: string;

/**
 * Starts the services of an App's worker once for the calling file, and removes them afterwards.
 */
export function startWorkerEdges(script: Script): void {
  beforeAll(async () => {
    github = await startGitHub();
    model = await startScriptedModel({ script });
    folder = await mkdtemp(path.join(tmpdir(), 'anode-worker-'));
    github.addApp({ slug: 'anode-ci', permissions });
  });
  afterAll(async () => {
    await model.close();
    await github.close();
    await rm(folder, { recursive: true, force: true });
  });
}

/**
 * The ports of the App's worker without people to ask; all of one file share their folders and
 * state.
 */
export function entryContext(change: Partial<EntryContext> = {}): EntryContext {
  const token = async () => github.createToken({ actor: login, permissions });
  return {
    apiUrl: github.apiUrl,
    serverUrl: github.url,
    readToken: token,
    writeToken: token,
    state: createFileStateStore({ folder: path.join(folder, 'state'), secret: null, onRejected: () => {} }),
    installationId: 1,
    log: createLog('silent', { write: () => undefined }, []),
    budget: createContentBudget(wakingClock, []),
    ownLogin: login,
    runUrl: null,
    runsFolder: path.join(folder, 'runs'),
    checkoutsFolder: path.join(folder, 'checkouts'),
    mirrorsFolder: path.join(folder, 'mirrors'),
    setupFolder: path.join(folder, 'set-up'),
    operatorConfig: {},
    overrides: {},
    environment: {
      PATH: process.env.PATH,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'any-key-will-do',
    },
    canAsk: false,
    host: 'app',
    sandbox: 'preferred',
    ...change,
  };
}

/** The newest comment on a thread, as its delivery brings it. */
export const newestComment = (deliveryId: string | null): IncomingEvent =>
  latestEvent(github, 'issue_comment', 'created', deliveryId);

/** One of the three tries that a delivery has. */
export const attempt = (number: number, change: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  attempt: number,
  last: number === 3,
  lastWhileDown: number === 3,
  signal: new AbortController().signal,
  ...change,
});
