import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Logger } from 'pino';
import { Probot } from 'probot';
import { type AppCredentials, type Environment, requireApp } from '../config/environment.ts';
import { ConfigError } from '../contract/errors.ts';
import type { IncomingEvent } from '../contract/event.ts';
import type { JsonObject } from '../contract/json.ts';
import { stateKeys } from '../contract/state-keys.ts';
import type { StateRoot } from '../contract/state-store.ts';
import { whyNotReached } from '../github/api-errors.ts';
import { type AppTokens, createAppTokens } from '../github/app-tokens.ts';
import { wakingClock } from '../github/clock.ts';
import { type ContentBudget, contentLimits, createContentBudget } from '../github/content-budget.ts';
import { createActiveRuns } from '../pipeline/context/active-runs.ts';
import { installedRepository, storeName } from '../pipeline/context/open-event.ts';
import { createReportLinks, reportSecret } from '../pipeline/context/report-links.ts';
import { processProgram } from '../run/programs/process-program.ts';
import { createDatabaseStateStore } from '../state/database-state-store.ts';
import { createLeasedStateStore, holdsLease } from '../state/leased-state-store.ts';
import { createVerifier } from '../webhooks/deliveries/create-verifier.ts';
import { isFirstOfBody } from '../webhooks/deliveries/first-of-body.ts';
import { type DeliveryQueue, startQueue } from '../webhooks/deliveries/queue.ts';
import { createBodyReader } from '../webhooks/deliveries/read-body.ts';
import { type ReceivePorts, receive, webhookPath } from '../webhooks/deliveries/receive.ts';
import { eventFault } from '../webhooks/triggers/event-fault.ts';
import { findCandidate } from '../webhooks/triggers/find-candidate.ts';
import { objectAt } from '../webhooks/triggers/payload-reader.ts';
import { reviewedPull } from '../webhooks/triggers/reviewed-pull.ts';
import type { AppContext, DeliveryExecutor } from './deliveries/app-context.ts';
import type { ActiveRun } from './deliveries/delivery-methods.ts';
import { deliveryTarget, isRunOnTarget } from './deliveries/delivery-target.ts';
import { startTimers } from './fire-timers.ts';
import { monitorRuns } from './monitor-runs.ts';
import { startPruning } from './prune-regularly.ts';
import { dropUnowned } from './removals/drop-unowned.ts';
import { createRemovals, isRemoval, type Removals } from './removals/removals.ts';
import { metricsPath, serveMetrics } from './serve-metrics.ts';
import { serveReport } from './serve-report.ts';

/**
 * Limits for receiving a request, in milliseconds: as long as GitHub waits for the response (GitHub
 * docs, "Best practices for using webhooks").
 */
const waits = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 } as const;

interface AppOptions {
  readonly environment: Environment;
  readonly log: Logger;
  readonly executor: DeliveryExecutor;
  /** Values that must not leave this machine. Default: none. */
  readonly secrets?: readonly string[];
  /** Maximum number of threads with a run at the same time. Default: 4. */
  readonly concurrency?: number;
  /** Milliseconds to wait for active runs on closing. Default: 10,000. */
  readonly closeTimeoutMs?: number;
}

export interface RunningApp {
  /** Base URL, such as `http://127.0.0.1:3000`; deliveries go to `/api/github/webhooks`. */
  readonly url: string;
  /** Stops taking deliveries, waits for runs within limits, and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts the GitHub App: a server that verifies and queues deliveries, and workers for them. Throws
 * `ConfigError` for missing or wrong credentials.
 */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { environment, log, executor } = options;
  const credentials = requireApp(environment);
  const tokens = createAppTokens({ ...credentials, apiUrl: environment.apiUrl });
  const ownLogin = await readOwnLogin(tokens, environment.apiUrl);
  const { promise: contextReady, resolve: setContext } = Promise.withResolvers<AppContext>();
  const queue = await startQueue({
    location: {
      url: environment.databaseUrl,
      directory: environment.dataDirectory,
      program: processProgram('database-process'),
    },
    handle: async (event, attempt) => {
      const context = await contextReady;
      await executor.handle(event, attempt, context).finally(context.afterDelivery);
    },
    onError: (err) => log.error({ err }, 'A delivery failed.'),
    concurrency: options.concurrency,
    closeTimeoutMs: options.closeTimeoutMs,
  });
  const { context, removals } = await openContext(options, { tokens, ownLogin, queue });
  setContext(context);
  const reactions = new Set<Promise<void>>();
  const probot = await createProbot(credentials, environment, log, async (event) => {
    if (
      !(await queueEvent(event, { state: context.state, removals, queue, log })) ||
      !mayActAtOnce(event, context)
    )
      return;
    const reaction = executor
      .actAtOnce(event, context)
      .catch((err: unknown) => log.warn({ err, delivery: event.delivery_id }, 'No reaction was given.'))
      .finally(() => reactions.delete(reaction));
    reactions.add(reaction);
  });
  const receivers = {
    probot,
    verify: createVerifier(credentials.webhookSecret),
    readBody: createBodyReader(),
  };
  const server = createServer(
    waits,
    (request, response) => void route(request, response, receivers, context),
  );
  await listen(server, environment).catch(async (error: unknown) => {
    await queue.close();
    throw error;
  });
  const url = urlOf(server.address() as AddressInfo);
  log.info({ url, login: ownLogin }, 'Listening.');
  const pruning = startPruning(environment, context.state, removals.sweep, log);
  const monitoring = monitorRuns(context, queue.isPending, options.secrets ?? []);
  const timers = startTimers(context.state, queue.enqueue, (err) =>
    log.warn({ err }, 'Timers could not be fired.'),
  );
  return {
    url,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeIdleConnections();
      });
      await Promise.all(reactions);
      await pruning.stop();
      await monitoring.stop();
      await timers.stop();
      await queue.close();
      await executor.close();
    },
  };
}

/** Opens the App's state and context, and finishes an interrupted removal. */
async function openContext(
  { environment, log }: AppOptions,
  { tokens, ownLogin, queue }: { tokens: AppTokens; ownLogin: string; queue: DeliveryQueue },
): Promise<{ context: AppContext; removals: Removals }> {
  const { database } = queue;
  const { publicUrl, dataDirectory: dataFolder } = environment;
  const state = await createDatabaseStateStore(database);
  await dropOld(state, environment, log);
  const runs = createActiveRuns<ActiveRun>();
  const removals = createRemovals({
    ...{ state, runs, log, tokens, dataFolder, forgetDeliveries: queue.forget },
  });
  await removals.sweep();
  const secret = await reportSecret(state);
  const context: AppContext = {
    ...{ environment, state, tokens, ownLogin, log, runs, reportSecret: secret },
    reportLinks: publicUrl === null ? null : createReportLinks(publicUrl, secret),
    leased: (lease) => ({
      state: createLeasedStateStore(state, database, lease),
      holds: () => holdsLease(database, lease),
    }),
    budgetOf: createBudgets(environment),
    afterDelivery: removals.finish,
  };
  return { context, removals };
}

/**
 * Queues an event; returns true if it is new. Removals and events of removed state are not queued.
 */
async function queueEvent(
  event: IncomingEvent,
  {
    state,
    removals,
    queue,
    log,
  }: { state: StateRoot; removals: Removals; queue: DeliveryQueue; log: Logger },
): Promise<boolean> {
  const first = await isFirstOfBody(event, state);
  if (await removals.take(event, first)) return false;
  const identity = installedRepository(event);
  if (identity !== null && (await removals.drops(event, identity))) return false;
  if (identity !== null) await storeName(state, identity, event);
  const fresh = first && (await queue.enqueue(event));
  const fields = { delivery: event.delivery_id, event: event.name, fresh };
  log.info(fields, fresh ? 'Queued.' : 'Had it already.');
  return fresh;
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

/**
 * Returns true if an event may need an immediate action: a reaction to a comment, or the end of a
 * run on its thread.
 */
function mayActAtOnce(event: IncomingEvent, { runs }: AppContext): boolean {
  if (findCandidate(event).kind === 'ignored') return false;
  const place = deliveryTarget(event);
  if (place === null) return false;
  return objectAt(event.payload, 'comment') !== null || runs.all().some((run) => isRunOnTarget(run, place));
}

/** Deletes state that an earlier version stored under repository names. */
async function dropOld(state: StateRoot, { dataDirectory }: Environment, log: Logger): Promise<void> {
  const entries = await dropUnowned(state, dataDirectory);
  if (entries === null || entries === 0) return;
  log.warn({ entries }, 'State stored under names of repositories was deleted: its owner is unknown.');
}

/** Creates one budget per installation, on first use. */
function createBudgets({ writeLimits }: Environment): AppContext['budgetOf'] {
  const budgets = new Map<number, ContentBudget>();
  return (installation) => {
    const budget =
      budgets.get(installation) ?? createContentBudget(wakingClock, writeLimits ? contentLimits : []);
    budgets.set(installation, budget);
    return budget;
  };
}

async function listen(server: Server, { port, host }: Environment): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(
      `Cannot listen on PORT ${port} of HOST ${host}: ${why}.`,
      { key: 'PORT' },
      { cause },
    );
  }
}

async function readOwnLogin(tokens: AppTokens, apiUrl: string): Promise<string> {
  try {
    return await tokens.ownLogin();
  } catch (cause) {
    if (!(cause instanceof Error) || !('status' in cause) || (cause.status !== 401 && cause.status !== 404))
      throw whyNotReached(cause, apiUrl) ?? cause;
    throw new ConfigError(
      'GitHub does not know the App: APP_ID and PRIVATE_KEY do not belong together, or GITHUB_API_URL is another GitHub.',
      { key: 'APP_ID' },
      { cause },
    );
  }
}

/** Creates Probot, which passes verified events on; only relevant ones are queued. */
async function createProbot(
  { appId, privateKey, webhookSecret }: AppCredentials,
  { apiUrl }: Environment,
  log: Logger,
  take: (event: IncomingEvent) => Promise<void>,
): Promise<Probot> {
  const probot = new Probot({ appId, privateKey, secret: webhookSecret, baseUrl: apiUrl, log });
  await probot.ready();
  probot.onAny(async ({ id, name, payload }) => {
    const event: IncomingEvent = { name, delivery_id: id, payload: payload as unknown as JsonObject };
    // Every pull request event may report a head; other events without effect are not queued.
    const counts =
      name === 'pull_request' || reviewedPull(event) !== null || findCandidate(event).kind === 'candidate';
    if (counts || isRemoval(event)) await take(event);
  });
  return probot;
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  { probot, ...hands }: { probot: Probot } & Pick<ReceivePorts, 'verify' | 'readBody'>,
  { environment, reportLinks, state, log }: AppContext,
): Promise<void> {
  const report = async (...of: [IncomingMessage, ServerResponse]): Promise<boolean> => {
    if (reportLinks === null) return false;
    const runsFolder = path.join(environment.dataDirectory, 'runs');
    const isOpen = async (runId: string) =>
      (await state.list(stateKeys.open(''))).some((key) => key.endsWith(`/${runId}`));
    return serveReport(...of, { links: reportLinks, runsFolder, now: new Date(), isOpen });
  };
  try {
    const pathname = URL.parse(request.url ?? '/', 'http://localhost')?.pathname;
    if (pathname === undefined) response.writeHead(400).end('Bad request.\n');
    else if (request.method === 'GET' && pathname === '/healthz') response.writeHead(200).end('ok\n');
    else if (request.method === 'POST' && pathname === webhookPath) {
      await receive(request, response, {
        ...hands,
        faultOf: eventFault,
        // Probot also accepts event names that its types do not list.
        accept: ({ name, delivery_id, payload }) =>
          probot.receive({ id: delivery_id, name, payload } as unknown as Parameters<Probot['receive']>[0]),
        log,
      });
    } else if (request.method === 'GET' && pathname === metricsPath && environment.metricsToken !== null) {
      await serveMetrics(request, response, { state, token: environment.metricsToken });
    } else if (!(await report(request, response))) response.writeHead(404).end('Not found.\n');
  } catch (err) {
    log.error({ err }, 'A request failed.');
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}
