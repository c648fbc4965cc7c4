import path from 'node:path';
import type { IncomingEvent } from '../../src/contract/event.ts';
import { wakingClock } from '../../src/github/clock.ts';
import { createContentBudget } from '../../src/github/content-budget.ts';
import { createActiveRuns } from '../../src/pipeline/context/active-runs.ts';
import { handleEvent } from '../../src/pipeline/worker.ts';
import { createLog } from '../../src/redaction/create-log.ts';
import { createFileStateStore } from '../../src/state/file-state-store.ts';

/** The data that a process of the App gets in its first argument. */
export interface WorkerProcessOrder {
  readonly event: IncomingEvent;
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly token: string;
  readonly modelUrl: string;
  /** The store of all processes lies in `state` below it. */
  readonly folder: string;
}

// Handles one event as a worker of the App does, and checks for stop requests whenever it gets a
// message.
const order: WorkerProcessOrder = JSON.parse(process.argv[2] ?? '');
const { folder } = order;
const state = createFileStateStore({
  folder: path.join(folder, 'state'),
  secret: null,
  onRejected: () => {},
});
const runs = createActiveRuns();
const stopWord = async (runId: string) => {
  const key = (await state.list('stop/')).find((one) => one.endsWith(`/${runId}`));
  return key === undefined ? null : state.get(key);
};
process.on('message', () => void runs.stopWhere(async (run) => stopWord(run.run_id)));
const token = async () => order.token;
const own = path.join(folder, `process-${process.pid}`);
await handleEvent(
  order.event,
  { attempt: 1, last: true, lastWhileDown: true, signal: new AbortController().signal },
  {
    ...{ apiUrl: order.apiUrl, serverUrl: order.serverUrl, readToken: token, writeToken: token, state, runs },
    installationId: 1,
    budget: createContentBudget(wakingClock, []),
    log: createLog('silent', { write: () => undefined }, []),
    ...{ ownLogin: 'anode-ci[bot]', runUrl: null, operatorConfig: {}, overrides: {} },
    ...{ runsFolder: path.join(own, 'runs'), checkoutsFolder: path.join(own, 'checkouts') },
    ...{ mirrorsFolder: path.join(own, 'mirrors'), setupFolder: path.join(own, 'set-up') },
    environment: {
      PATH: process.env.PATH,
      ANTHROPIC_BASE_URL: order.modelUrl,
      ANTHROPIC_API_KEY: 'any-key-will-do',
    },
    ...{ canAsk: true, host: 'app', sandbox: 'preferred' },
  },
);
if (process.connected) process.disconnect();
