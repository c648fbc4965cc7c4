import path from 'node:path';
import { pino } from 'pino';
import { readEnvironment, requireToken } from '../config/environment.ts';
import { ownSecrets } from '../config/secret-values.ts';
import { ConfigError } from '../contract/errors.ts';
import { whyNotReached } from '../github/api-errors.ts';
import { wakingClock } from '../github/clock.ts';
import { contentLimits, createContentBudget } from '../github/content-budget.ts';
import { createOctokit } from '../github/create-octokit.ts';
import type { EntryContext } from '../pipeline/context/broker-context.ts';
import { decideOnly } from '../pipeline/decide-on-event.ts';
import { handleEvent } from '../pipeline/worker.ts';
import { createLog } from '../redaction/create-log.ts';
import { plannedCalls } from '../reporting/planned-calls.ts';
import { createFileStateStore } from '../state/file-state-store.ts';
import type { EventDecision } from '../webhooks/decide-event.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { oneOf, parseArguments, refuseWords, usageError } from './parse-arguments.ts';
import { readPayload } from './user-files.ts';
import { exitCodes } from './write-output.ts';

/**
 * Runs `anode event`: handles one event as the App or the Action would. With `--dry-run` it only
 * reads and prints the decision. Returns the exit code of the run; 0 without one.
 */
export async function eventCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('event', args, {
    name: { type: 'string' },
    payload: { type: 'string' },
    'dry-run': { type: 'boolean' },
    output: { type: 'string' },
    config: { type: 'string' },
  });
  refuseWords('event', positionals);
  const format = oneOf(['event', 'output'], values.output, ['text', 'json'], 'text');
  if (typeof values.name !== 'string') throw usageError('event', '--name is missing.');
  if (typeof values.payload !== 'string') throw usageError('event', '--payload is missing.');
  const event = { name: values.name, delivery_id: null, payload: await readPayload(values.payload) };
  const ports = await entryContext(typeof values.config === 'string' ? values.config : undefined, context);

  if (values['dry-run'] === true) {
    const decision = await decideOnly(event, ports);
    context.write(format === 'json' ? `${JSON.stringify(asJson(decision), null, 2)}\n` : asText(decision));
    return 0;
  }
  const handled = await handleEvent(
    event,
    { attempt: 1, last: true, lastWhileDown: true, signal: context.signal },
    ports,
  );
  if (handled.kind === 'none') {
    const { decision } = handled;
    context.write(format === 'json' ? `${JSON.stringify(asJson(decision), null, 2)}\n` : asText(decision));
    return 0;
  }
  if (handled.kind === 'failed') throw handled.error;
  if (handled.kind === 'skipped') {
    const skipped = { decision: 'quiet', reason: handled.reason, plan: handled.plan };
    context.write(format === 'json' ? `${JSON.stringify(skipped, null, 2)}\n` : `${handled.reason}\n`);
    return 0;
  }
  const { plan, outcome, published } = handled;
  const run = { decision: 'run', reason: '', plan, outcome, published };
  context.write(format === 'json' ? `${JSON.stringify(run, null, 2)}\n` : `${published.report}\n`);
  return published.defect === undefined ? exitCodes[outcome.conclusion] : exitCodes.failure;
}

async function entryContext(named: string | undefined, context: CommandContext): Promise<EntryContext> {
  const environment = readEnvironment(context.environment);
  const githubToken = requireToken(environment);
  const data = path.resolve(environment.dataDirectory);
  const token = async () => githubToken;
  const own = {
    environment: context.environment,
    operatorConfig: await localConfig(named, context.environment),
  };
  const log = createLog('warn', pino.destination(2), ownSecrets(own));
  return {
    apiUrl: environment.apiUrl,
    serverUrl: environment.serverUrl,
    readToken: token,
    writeToken: token,
    state: createFileStateStore({
      folder: path.join(data, 'state'),
      secret: environment.stateSecret,
      onRejected: (message) => log.warn(message),
    }),
    log,
    budget: createContentBudget(wakingClock, environment.writeLimits ? contentLimits : []),
    ownLogin: await loginOf(environment.apiUrl, githubToken),
    runUrl: null,
    runsFolder: path.join(data, 'runs'),
    checkoutsFolder: path.join(data, 'checkouts'),
    mirrorsFolder: path.join(data, 'mirrors'),
    setupFolder: path.join(data, 'set-up'),
    ...own,
    overrides: {},
    installationId: null,
    canAsk: true,
    host: 'action',
    sandbox: environment.sandbox,
  };
}

/** Returns the login of a token. A person's token names it; a workflow's may not even ask. */
async function loginOf(apiUrl: string, token: string): Promise<string> {
  try {
    const { data } = await createOctokit({ apiUrl, token }).rest.users.getAuthenticated();
    return data.login;
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : null;
    if (status === 403 || status === 404) return 'github-actions[bot]';
    if (status !== 401) throw whyNotReached(error, apiUrl) ?? error;
    throw new ConfigError(
      `GitHub at ${apiUrl} does not accept the token in GITHUB_TOKEN. Set one that is valid there.`,
      { key: 'GITHUB_TOKEN' },
      { cause: error },
    );
  }
}

function asJson(decision: EventDecision) {
  const { decision: what, reason, trigger, plan } = decision;
  return { decision: what, reason, trigger, plan, api_calls: plan === null ? [] : plannedCalls(plan) };
}

function asText(decision: EventDecision): string {
  const calls = decision.plan === null ? [] : plannedCalls(decision.plan);
  return [
    `${decision.decision}: ${decision.reason}`,
    ...calls.map((call) => `  ${call.method} ${call.path}  (${call.purpose})`),
    '',
  ].join('\n');
}
