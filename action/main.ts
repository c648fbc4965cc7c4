import { inspect } from 'node:util';
import { saveState } from '@actions/core';
import { secretValues } from '../src/config/secret-values.ts';
import { ConfigError, isFullDisk, RunStopped } from '../src/contract/errors.ts';
import type { SandboxMode } from '../src/contract/levels.ts';
import { isOutage } from '../src/github/api-errors.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import { isRejectedToken, missingPermission, permissionRemedy } from '../src/github/missing-permission.ts';
import { watchStrayErrors } from '../src/pipeline/controls/watch-stray-errors.ts';
import { fullDiskRemedy } from '../src/pipeline/finish/full-disk-remedy.ts';
import { createRedactor } from '../src/redaction/redact.ts';
import { readInputs } from './inputs.ts';
import { readJob, runnerProblem } from './job.ts';
import { cancelledState } from './open-run-state.ts';
import { refuseActor } from './refuse-actor.ts';
import { runStep } from './run-step.ts';
import { sandboxState } from './sandbox-step.ts';
import { createStepLog } from './step-log.ts';
import { endWithoutRun } from './write-outputs.ts';

const rejectedToken =
  'GitHub does not accept the input github_token: it is wrong, expired or revoked. ' +
  'The token of an App lasts an hour, so make it in a step of the same job.';

async function main(signal: AbortSignal): Promise<void> {
  const given = readInputs(process.env);
  const job = await readJob(process.env);
  dropRunnerVariables(process.env);
  for (const notice of given.notices) log.warning(notice);
  // Keys from inputs override the job's environment.
  const environment = { ...process.env, ...given.modelEnvironment };
  const octokit = createOctokit({ apiUrl: job.apiUrl, token: given.githubToken });
  const problem = runnerProblem(process.platform);
  if (problem !== null) {
    const { checkWithoutLinux } = await import('./check-without-linux.ts');
    return checkWithoutLinux({ job, inputs: given, octokit }, { problem, log });
  }
  const { refuseUnsafeCheckout } = await import('./unsafe-checkout.ts');
  await refuseUnsafeCheckout(job);
  const inputs =
    given.config === null
      ? given
      : await (await import('./configured-inputs.ts')).configuredInputs(given, job, octokit);
  if (inputs.stateFolder !== null) {
    const { checkStateFolder } = await import('./check-state-folder.ts');
    checkStateFolder(inputs.stateFolder, job.workspace);
  }
  const prepareSandbox = async (mode: SandboxMode) => {
    const { machineOf, prepareSandbox: prepare } = await import('./prepare-sandbox.ts');
    const remember = (change: string | null) => saveState(sandboxState, change ?? '');
    await prepare(mode, machineOf(environment, inputs.sandboxSetup, { signal, log, remember }));
  };
  if (inputs.prompt === null && inputs.promptFile === null) {
    const { runEvent } = await import('./run-event.ts');
    return runEvent(job, inputs, { environment, signal, log, prepareSandbox });
  }
  const refusal = await refuseActor(job, octokit, inputs.overrides);
  if (refusal !== null) {
    return endWithoutRun(log, 'refused', `No run was started: ${refusal}`);
  }
  if (inputs.createsPull) {
    const { runPullTask } = await import('./run-pull-task.ts');
    return runPullTask({ job, inputs, octokit }, { environment, signal, log, prepareSandbox });
  }
  const { createRunLog } = await import('./run-log.ts');
  const listen = createRunLog(log, inputs.showFullOutput);
  const context = { environment, listen, signal, log, prepareSandbox };
  const finished = await runStep({ job, inputs, octokit }, context);
  // Loaded on demand: only the end of a run needs it.
  const { finishStep } = await import('./finish-step.ts');
  await finishStep(finished, { job, inputs }, context);
}

/**
 * Removes what the runner gives only to actions: addresses and tokens of the job's own services. No
 * run may be given them, whatever its configuration says.
 */
function dropRunnerVariables(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (name.startsWith('ACTIONS_')) delete environment[name];
}

// Errors may quote output of a provider or git with a key in it.
const redact = createRedactor(secretValues(process.env, {}));
const log = createStepLog(
  { out: (text) => void process.stdout.write(text), err: (text) => void process.stderr.write(text) },
  redact,
);
const stopped = new AbortController();
// A cancelled job gets SIGINT, then SIGTERM, and some seconds to update the thread.
const cancelled = new RunStopped({ kind: 'cancelled', message: 'The workflow’s run was cancelled.' });
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    stopped.abort(cancelled);
    saveState(cancelledState, 'true');
  });
const strayError = watchStrayErrors(process, () => stopped, {
  report: (error) => log.printError(inspect(error)),
  exit: () => process.exit(1),
});
try {
  await main(stopped.signal);
} catch (error) {
  const permission = missingPermission(error);
  const isFull = isFullDisk(error);
  const isRejected = isRejectedToken(error);
  const isTold = error instanceof ConfigError || permission !== null || isFull || isRejected;
  if (!isTold) log.printError(inspect(error));
  const cause = redact(error instanceof Error ? error.message : String(error));
  const message = isFull ? `${fullDiskRemedy} Its error: ${cause}.` : cause;
  const remedy = isRejected ? rejectedToken : message;
  const told = permission === null ? remedy : permissionRemedy(permission, 'action');
  const isUnreachable = isOutage(error);
  const said = isUnreachable
    ? `GitHub could not be reached, or took no more requests (${message}), so that the thread may say nothing of this run.`
    : told;
  await endWithoutRun(log, 'failure', said, isTold || isUnreachable);
}
if (strayError()) process.exitCode = 1;
