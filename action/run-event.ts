import path from 'node:path';
import { secretValues } from '../src/config/secret-values.ts';
import type { IncomingEvent } from '../src/contract/event.ts';
import type { SandboxMode } from '../src/contract/levels.ts';
import { wakingClock } from '../src/github/clock.ts';
import { contentLimits, createContentBudget } from '../src/github/content-budget.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import { identityTokenOf } from '../src/github/identity-token.ts';
import type { StagedWrites } from '../src/github/staged-writes.ts';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import { type Handled, handleEvent } from '../src/pipeline/worker.ts';
import { createLog } from '../src/redaction/create-log.ts';
import { renderPostedSummary } from '../src/reporting/report/render-summary.ts';
import { dismissedRootOf } from '../src/webhooks/triggers/dismissed-root.ts';
import { findCandidate } from '../src/webhooks/triggers/find-candidate.ts';
import { isMerge, stringAt } from '../src/webhooks/triggers/payload-reader.ts';
import { forkReviewEvent, isForkRun } from './fork-review-event.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import { openThreadState, type ThreadState } from './open-thread-state.ts';
import { createRunLog } from './run-log.ts';
import { hasNoSecrets } from './secretless-job.ts';
import type { StepLog } from './step-log.ts';
import { typeRemedy } from './type-remedy.ts';
import { withTurns } from './with-turns.ts';
import { checkPromptless, threadEvent } from './workflow-events.ts';
import { appendSummary, endStep, endWithoutRun } from './write-outputs.ts';

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
  { githubToken: token }: Pick<ActionInputs, 'githubToken'>,
  canAsk: boolean,
): Promise<string> {
  const candidate = findCandidate(event);
  const isTalk = candidate.kind === 'ignored' || (candidate.silent && dismissedRootOf(event) === null);
  if (isTalk && !canAsk) return actionsLogin;
  try {
    const octokit = createOctokit({ apiUrl, token });
    const { viewer } = await octokit.graphql<{ viewer: { login: string } }>('{ viewer { login } }');
    return viewer.login;
  } catch {
    return actionsLogin;
  }
}

const withoutSecrets =
  'GitHub gives the job of a fork, or of Dependabot, no secrets and a token that only reads. ' +
  'The pull request is reviewed by the checks without a model, and the result is in the job’s summary.';

/** Environment of a step besides job and inputs. */
interface EventSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly log: StepLog;
  readonly prepareSandbox: (mode: SandboxMode) => Promise<void>;
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
  const event = await eventOf(job, inputs);
  if ('reason' in event) {
    endWithoutRun(log, 'skipped', `No run was started: ${event.reason}.`);
    return;
  }
  const shared = await shareOf(job, inputs);
  const { share } = shared;
  const hasSecrets = !hasNoSecrets(job, surroundings.environment);
  if (!hasSecrets) log.notice(withoutSecrets);
  // The result of a fork's checks is in the job of the agent.
  if (!hasSecrets && share?.kind === 'publish' && share.handed === null) return;
  const thread = await openThreadState({ event, job, inputs, log });
  const ownLogin = await readOwnLogin(event, job, inputs, thread.canAsk);
  // The publishing job never has the key of a model.
  const readOnlyToken = !hasSecrets && share?.kind !== 'publish';
  const staged = inputs.staged ? await stagedWrites(job, ownLogin) : {};
  const found = { thread, ownLogin, readOnlyToken };
  const settings = { ...portsOf(job, inputs, surroundings, found), ...shared, ...staged };
  if (share?.kind === 'agent') {
    const { runAgentStep } = await import('./run-agent-step.ts');
    return runAgentStep(event, { job, log, signal }, settings);
  }
  const writes = !readOnlyToken && !inputs.staged;
  const turn = writes ? withTurns(settings, { job, thread, signal, log }) : null;
  const attempt = { attempt: 1, last: true, lastWhileDown: true, signal };
  const handled = await handleEvent(event, attempt, turn?.entry ?? settings)
    .finally(() => thread.leave())
    .finally(() => showStaged(settings.staged, log));
  await turn?.end();
  if (handled.kind === 'failed') throw handled.error;
  if (handled.kind === 'none' || handled.kind === 'skipped') return endUnstarted(handled, job, log);
  await endWithRun(handled, settings.staged, inputs, log);
}

/** Keeps a run from writing: a recorder takes its requests, and there is no token for others. */
async function stagedWrites(
  { apiUrl, serverUrl }: Job,
  ownLogin: string,
): Promise<Required<Pick<EntryContext, 'staged' | 'writeToken'>>> {
  const { createStagedWrites } = await import('../src/github/staged-writes.ts');
  const writeToken = async () => {
    throw new Error('A staged run has no token that writes.');
  };
  return { staged: createStagedWrites({ apiUrl, serverUrl, ownLogin }), writeToken };
}

/** Adds to the job's summary what a staged run would have written. */
async function showStaged(staged: StagedWrites | undefined, log: StepLog): Promise<void> {
  if (staged === undefined) return;
  const { renderStaged } = await import('../src/reporting/report/render-staged.ts');
  await appendSummary(log, renderStaged(staged.list()));
}

/** Writes outputs and summary of a run to the job. */
async function endWithRun(
  handled: Extract<Handled, { kind: 'run' }>,
  staged: StagedWrites | undefined,
  inputs: Pick<ActionInputs, 'share'>,
  log: StepLog,
): Promise<void> {
  const { outcome, plan, published, ledgerFile, reportFile, sarifFile, attestationFile, failure } = handled;
  // Nothing that a staged run names exists.
  const unmade = { commit: undefined, pull_request: undefined, comment: undefined };
  // Failures to post the report are not in the report.
  const untold = published.failures.filter((failure) => !published.report.includes(failure));
  for (const failure of untold) log.warning(failure);
  const summary = renderPostedSummary(published.report, outcome.findings, plan, untold);
  await endStep(log, {
    outcome,
    plan,
    published: staged === undefined ? published : { ...published, ...unmade },
    // The report stands there among the comments.
    summary: staged?.hasText(published.report) ? '' : summary,
    // The ledger of a published run is in the job of its agent.
    executionFile: inputs.share === 'publish' ? '' : ledgerFile,
    reportFile,
    sarifFile,
    attestationFile,
    failure,
  });
  if (published.defect !== undefined) log.fail(published.defect);
}

/** Returns what a job needs that does one share of the work; nothing for a job that does all. */
async function shareOf(
  job: Job,
  { share, githubToken: token }: ActionInputs,
): Promise<Pick<EntryContext, 'share' | 'ids' | 'beforeRun'>> {
  if (share === null) return {};
  const { firstRunId, handedPlace, idsOf, readHandedRun } = await import('./handed-artifact.ts');
  const here = handedPlace(job);
  if (share === 'agent') return { share: { kind: share }, ids: idsOf(here) };
  const handed = await readHandedRun(createOctokit({ apiUrl: job.apiUrl, token }), job);
  const place = handed ?? here;
  return {
    share: { kind: share, runId: firstRunId(place), handed },
    ids: idsOf(place),
    // Nothing runs here that needs a sandbox.
    beforeRun: async () => undefined,
  };
}

/** Returns the event as the App would get it, or why it starts nothing. */
async function eventOf(
  job: Job,
  { githubToken: token, mode }: ActionInputs,
): Promise<IncomingEvent | { readonly reason: string }> {
  const octokit = createOctokit({ apiUrl: job.apiUrl, token });
  if (mode !== 'issue' && isForkRun(job)) return forkReviewEvent(job, octokit);
  if (mode === 'review' || mode === 'issue') {
    const { eventOfMode } = await import('./mode-event.ts');
    return eventOfMode(mode, job, octokit);
  }
  checkPromptless(job.eventName);
  return { name: threadEvent(job.eventName), delivery_id: null, payload: job.payload };
}

/** Says in the log and the outputs why nothing was run. */
function endUnstarted(
  handled: Extract<Handled, { kind: 'none' | 'skipped' }>,
  { eventName, payload }: Job,
  log: StepLog,
): void {
  if (handled.kind === 'skipped') {
    endWithoutRun(log, 'skipped', handled.reason);
    if (handled.failure) log.fail(handled.failure);
    return;
  }
  const { decision, reason } = handled.decision;
  const isTold = isMerge({ name: threadEvent(eventName), delivery_id: null, payload });
  const remedy = isTold ? null : typeRemedy(eventName, stringAt(payload, 'action'));
  const words = [`No run was started: ${reason.replace(/\.$/, '')}.`, remedy]
    .filter((text) => text !== null)
    .join(' ');
  endWithoutRun(log, decision === 'refuse' ? 'refused' : 'skipped', words);
}

function portsOf(
  job: Job,
  inputs: ActionInputs,
  { environment, log, prepareSandbox }: EventSurroundings,
  { thread, ...found }: Pick<EntryContext, 'ownLogin' | 'readOnlyToken'> & { readonly thread: ThreadState },
): Parameters<typeof handleEvent>[2] {
  const token = async () => inputs.githubToken;
  const identityToken = identityTokenOf(job.identityVariables);
  return {
    apiUrl: job.apiUrl,
    serverUrl: job.serverUrl,
    readToken: token,
    writeToken: token,
    ...found,
    state: thread.root,
    installationId: null,
    ...(job.repositoryId === null ? {} : { repositoryId: job.repositoryId }),
    log: createLog('warn', { write: log.print }, [
      ...secretValues({ ...environment, ...job.artifactVariables, ...job.identityVariables }, {}),
      inputs.githubToken,
    ]),
    outageWaitsMs,
    listen: createRunLog(log, inputs.showFullOutput),
    budget: createContentBudget(wakingClock, environment.ANODE_WRITE_LIMITS === 'off' ? [] : contentLimits),
    runUrl: job.runUrl,
    sarifFile: path.resolve(inputs.sarifFile ?? path.join(job.temporaryFolder, 'anode.sarif')),
    ...(identityToken === null ? {} : { identityToken }),
    storeAttestation: async (commit, text) => {
      const { uploadAttestation } = await import('./attestation-artifact.ts');
      await uploadAttestation(commit, text, job);
    },
    runsFolder: path.join(job.temporaryFolder, 'anode-runs'),
    checkoutsFolder: path.join(job.temporaryFolder, 'anode-checkouts'),
    mirrorsFolder: path.join(job.temporaryFolder, 'anode-mirrors'),
    setupFolder: path.join(job.temporaryFolder, 'anode-set-up'),
    // Checkouts of other steps of the job are there.
    repositoriesFrom: job.workspace,
    operatorConfig: {},
    overrides: inputs.overrides,
    environment,
    canAsk: thread.canAsk,
    isStateLost: thread.isLost,
    host: 'action',
    sandbox: null,
    beforeRun: ({ sandbox }) => prepareSandbox(sandbox),
  };
}
