import path from 'node:path';
import { secretValues } from '../src/config/secret-values.ts';
import type { IncomingEvent } from '../src/contract/event.ts';
import type { StateRoot } from '../src/contract/state-store.ts';
import { wakingClock } from '../src/github/clock.ts';
import { contentLimits, createContentBudget } from '../src/github/content-budget.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import { pruneState } from '../src/pipeline/finish/prune-state.ts';
import { handleEvent } from '../src/pipeline/worker.ts';
import { createLineRedactor } from '../src/redaction/redact-value.ts';
import { renderPostedSummary } from '../src/reporting/report/render-summary.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { createLog } from '../src/webhooks/create-log.ts';
import { dismissedRootOf } from '../src/webhooks/triggers/dismissed-root.ts';
import { findCandidate } from '../src/webhooks/triggers/find-candidate.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import type { StepLog } from './step-log.ts';
import { writeOutputs } from './write-outputs.ts';

/** Milliseconds between retries during an outage: no one restarts the job afterwards. */
const outageWaitsMs = [5_000, 20_000, 60_000, 120_000];

/** Account of all writes under the job's own token. */
const actionsLogin = 'github-actions[bot]';

/**
 * Returns the account of the job's token, whose name is a mention too: `your-app[bot]` for a token
 * of an App. A token that may not ask counts as the job's own. Does not ask for talk that addresses
 * no one.
 */
async function readOwnLogin(
  event: IncomingEvent,
  { apiUrl }: Pick<Job, 'apiUrl'>,
  { githubToken: token, stateFolder }: Pick<ActionInputs, 'githubToken' | 'stateFolder'>,
): Promise<string> {
  const candidate = findCandidate(event);
  const isTalk = candidate.kind === 'ignored' || (candidate.silent && dismissedRootOf(event) === null);
  if (isTalk && stateFolder === null) return actionsLogin;
  try {
    const octokit = createOctokit({ apiUrl, token });
    const { viewer } = await octokit.graphql<{ viewer: { login: string } }>('{ viewer { login } }');
    return viewer.login;
  } catch {
    return actionsLogin;
  }
}

/** Environment of a step besides job and inputs. */
interface EventSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly log: StepLog;
}

/**
 * Handles a workflow without a prompt: the triggering event decides, and the result goes to its
 * thread. A separate module, since a step with a prompt needs none of it.
 */
export async function runEvent(
  job: Job,
  inputs: ActionInputs,
  surroundings: EventSurroundings,
): Promise<void> {
  const { signal, log } = surroundings;
  const event = { name: job.eventName, delivery_id: null, payload: job.payload };
  const state = createFileStateStore({
    folder: path.resolve(inputs.stateFolder ?? path.join(job.temporaryFolder, 'anode-state')),
    secret: inputs.stateSecret,
    onRejected: (message) => log.warning(message),
  });
  if (inputs.stateFolder !== null) await pruneState(state, new Date());
  const handled = await handleEvent(
    event,
    { attempt: 1, last: true, lastWhileDown: true, signal },
    portsOf(job, inputs, surroundings, { state, ownLogin: await readOwnLogin(event, job, inputs) }),
  );
  if (handled.kind === 'none') {
    log.notice(`No run was started: ${handled.decision.reason}.`);
    return;
  }
  if (handled.kind === 'failed') throw handled.error;
  if (handled.kind === 'skipped') {
    log.notice(handled.reason);
    return;
  }
  const { outcome, published, ledgerFile, reportFile, sarifFile } = handled;
  // Failures to post the report are not in the report.
  const untold = published.failures.filter((failure) => !published.report.includes(failure));
  for (const failure of untold) log.warning(failure);
  await writeOutputs(log, {
    outcome,
    published,
    summary: renderPostedSummary(published.report, outcome.findings, handled.plan, untold),
    executionFile: ledgerFile,
    reportFile,
    sarifFile,
  });
  if (published.defect !== undefined) log.fail(published.defect);
}

function portsOf(
  job: Job,
  inputs: ActionInputs,
  { environment, log }: EventSurroundings,
  { state, ownLogin }: { readonly state: StateRoot; readonly ownLogin: string },
): Parameters<typeof handleEvent>[2] {
  const token = async () => inputs.githubToken;
  return {
    apiUrl: job.apiUrl,
    serverUrl: job.serverUrl,
    readToken: token,
    writeToken: token,
    state,
    installationId: null,
    ...(job.repositoryId === null ? {} : { repositoryId: job.repositoryId }),
    log: createLog(
      'warn',
      { write: log.print },
      createLineRedactor([...secretValues(environment, {}), inputs.githubToken]),
    ),
    outageWaitsMs,
    budget: createContentBudget(wakingClock, environment.ANODE_WRITE_LIMITS === 'off' ? [] : contentLimits),
    ownLogin,
    runUrl: job.runUrl,
    sarifFile: path.resolve(inputs.sarifFile ?? path.join(job.temporaryFolder, 'anode.sarif')),
    runsFolder: path.join(job.temporaryFolder, 'anode-runs'),
    checkoutsFolder: path.join(job.temporaryFolder, 'anode-checkouts'),
    mirrorsFolder: path.join(job.temporaryFolder, 'anode-mirrors'),
    setupFolder: path.join(job.temporaryFolder, 'anode-set-up'),
    // Checkouts of other steps of the job are there.
    repositoriesFrom: job.workspace,
    operatorConfig: {},
    overrides: inputs.overrides,
    environment,
    // Anyone with write access could forge the folder, so nothing waits without a secret.
    canAsk: inputs.stateFolder !== null && inputs.stateSecret !== null,
    host: 'action',
    sandbox: null,
  };
}
