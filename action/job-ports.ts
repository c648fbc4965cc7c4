import path from 'node:path';
import { secretValues } from '../src/config/secret-values.ts';
import type { SandboxMode } from '../src/contract/levels.ts';
import { wakingClock } from '../src/github/clock.ts';
import { contentLimits, createContentBudget } from '../src/github/content-budget.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import { identityTokenOf } from '../src/github/identity-token.ts';
import type { EntryContext } from '../src/pipeline/context/broker-context.ts';
import type { handleEvent } from '../src/pipeline/worker.ts';
import { createLog } from '../src/redaction/create-log.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import type { ThreadState } from './open-thread-state.ts';
import { createReadableLog } from './readable-log.ts';
import { createRunLog } from './run-log.ts';
import type { StepLog } from './step-log.ts';

/** Milliseconds between retries during an outage: no one restarts the job afterwards. */
const outageWaitsMs = [5_000, 20_000, 60_000, 120_000];

/** Environment of a step besides job and inputs. */
export interface StepSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly log: StepLog;
  readonly prepareSandbox: (mode: SandboxMode) => Promise<void>;
}

/** Account of all writes under the job's own token. */
export const actionsLogin = 'github-actions[bot]';

/**
 * Returns the account of the job's token: `your-app[bot]` for a token of an App. A token that may
 * not ask counts as the job's own.
 */
export async function readOwnLogin({ apiUrl }: Pick<Job, 'apiUrl'>, token: string): Promise<string> {
  try {
    const octokit = createOctokit({ apiUrl, token });
    const { viewer } = await octokit.graphql<{ viewer: { login: string } }>('{ viewer { login } }');
    return viewer.login;
  } catch {
    return actionsLogin;
  }
}

/** Keeps a run from writing: a recorder takes its requests, and there is no token for others. */
export async function stagedWrites(
  { apiUrl, serverUrl }: Job,
  ownLogin: string,
): Promise<Required<Pick<EntryContext, 'staged' | 'writeToken'>>> {
  const { createStagedWrites } = await import('../src/github/staged-writes.ts');
  const writeToken = async () => {
    throw new Error('A staged run has no token that writes.');
  };
  return { staged: createStagedWrites({ apiUrl, serverUrl, ownLogin }), writeToken };
}

/** Returns what a run of the job may reach, apart from the state of its thread. */
export function portsOf(
  job: Job,
  inputs: ActionInputs,
  { environment, log, prepareSandbox }: StepSurroundings,
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
    log: createLog('warn', createReadableLog(log.print), [
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
