import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Octokit } from '@octokit/rest';
import { effectiveConfig } from '../src/config/effective-config.ts';
import { ConfigError } from '../src/contract/errors.ts';
import type { Severity } from '../src/contract/findings.ts';
import type { SandboxMode } from '../src/contract/levels.ts';
import type { RunPlan } from '../src/contract/plan.ts';
import type { RunEvent } from '../src/contract/run-event.ts';
import { identityName, type RepositoryIdentity, type StateStore } from '../src/contract/state-store.ts';
import { isChecksOnly, plannedRun } from '../src/pipeline/context/planned-run.ts';
import type { FinishedRun } from '../src/run/finish-run.ts';
import { run } from '../src/run/run.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { openRepositoryState } from '../src/state/repository-state.ts';
import { readBaseFiles } from '../src/webhooks/authorize/read-base-files.ts';
import { type ConfigLocation, readRepositoryConfig } from '../src/webhooks/authorize/read-config.ts';
import { trustedFilesOnGitHub } from '../src/webhooks/authorize/trusted-files-on-github.ts';
import { missingCheckout } from '../src/workspace/git/missing-checkout.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import { readPrompt } from './read-prompt.ts';
import type { StepLog } from './step-log.ts';
import { repositoryRef, stepPlan } from './step-plan.ts';

/**
 * Throws `ConfigError` if the workspace has no files to work on. Warns if it has no repository, or
 * belongs to another user.
 */
function checkCheckout(workspace: string, log: StepLog): void {
  const missing = missingCheckout(workspace);
  if (missing === 'empty' || missing === 'bare')
    throw new ConfigError(
      `${workspace} is ${missing === 'empty' ? 'empty' : 'a bare repository'}: there is no checkout to work on. ` +
        'Add a step `- uses: actions/checkout` before this one.',
    );
  if (missing === 'no repository')
    log.warning(`${workspace} is not a git repository. The agent works on the files; it sees no history.`);
  if (!isWritable(workspace))
    log.warning(
      `${workspace} belongs to user ${statSync(workspace).uid}, and user ${process.getuid?.()}, who runs this step, may not write it. ` +
        'Nothing in it can be changed. Run the step as its owner (in a container `options: --user`), or add a step `sudo chown -R "$(id -u)" .` before.',
    );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Result of a step, with an equivalent plan for the summary. */
export interface FinishedStep {
  readonly finished: FinishedRun;
  readonly plan: RunPlan;
  /** The least severity of a finding that fails the step. */
  readonly failOn: Severity | undefined;
}

/**
 * Runs a workflow step with a prompt on the job's own checkout. Changes stay there for later steps.
 * Nothing is pushed and no one can be asked.
 */
export async function runStep(
  { job, inputs, octokit }: { readonly job: Job; readonly inputs: ActionInputs; readonly octokit: Octokit },
  context: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly listen: (event: RunEvent) => void;
    readonly signal: AbortSignal;
    readonly log: StepLog;
    readonly prepareSandbox: (mode: SandboxMode) => Promise<void>;
  },
): Promise<FinishedStep> {
  checkCheckout(job.workspace, context.log);
  const { data: repository } = await octokit.rest.repos.get({ owner: job.owner, repo: job.repository });
  const base = { owner: job.owner, name: job.repository, branch: repository.default_branch };
  const { config: own, source } = await readRepositoryConfig(octokit, base, 'action');
  const { config, notes } = effectiveConfig(inputs.overrides, own);
  for (const note of notes) context.log.warning(note);
  // The job's token belongs to no installation of the App.
  const identity = { installation: null, repository: job.repositoryId ?? repository.id };
  const prompt = await readPrompt(inputs, job, { octokit, base });
  const answerForm = await answerFormOf(inputs.outputSchema, job, { octokit, base });
  const plan = stepPlan(prompt, { job, inputs, config, source, repository: repositoryRef(job, repository) });
  await context.prepareSandbox(plan.sandbox);
  const finished = await run(
    {
      ...plannedRun(plan),
      answerForm,
      root: job.workspace,
      // The author of the checked-out tree is unknown.
      setup: {
        storeFolder: path.join(job.temporaryFolder, 'anode-set-up'),
        repository: identityName(identity),
        untrusted: job.sha,
      },
      reviewDiff: null,
      checksOnly: isChecksOnly(plan, config),
      trusted: (paths) => readBaseFiles(octokit, base, paths),
      trustedTree: trustedFilesOnGitHub(octokit, base),
      canAsk: false,
      resume: null,
      secrets: [inputs.githubToken],
    },
    {
      runsFolder: path.join(job.temporaryFolder, 'anode-runs'),
      config,
      store: await storedState(identity, inputs, context.log),
      environment: context.environment,
      listen: context.listen,
      signal: context.signal,
    },
  );
  return { finished, plan, failOn: config.review?.failOn };
}

async function answerFormOf(
  schema: string | null,
  job: Job,
  from: { readonly octokit: Octokit; readonly base: ConfigLocation },
) {
  if (schema === null) return undefined;
  const { answerSchema } = await import('../src/run/conversation/answer-schema.ts');
  if (schema.startsWith('{')) return answerSchema(schema, 'output_schema');
  const { readInputFile } = await import('./read-input-file.ts');
  return answerSchema(await readInputFile('output_schema', schema, job, from), schema);
}

/**
 * Opens the state that the workflow carries between runs. Unsigned state can be forged, so it is
 * not used.
 */
async function storedState(
  identity: RepositoryIdentity,
  inputs: ActionInputs,
  log: StepLog,
): Promise<StateStore | null> {
  const { stateFolder, stateSecret } = inputs;
  if (stateFolder === null || stateSecret === null) return null;
  const folder = path.resolve(stateFolder);
  const root = createFileStateStore({
    folder,
    secret: stateSecret,
    onRejected: (message) => log.warning(message),
  });
  return (await openRepositoryState(root, identity)).store;
}
