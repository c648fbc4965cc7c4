import type { Octokit } from '@octokit/rest';
import { effectiveConfig } from '../src/config/effective-config.ts';
import { isNotFound } from '../src/github/api-errors.ts';
import { openContext, withClients } from '../src/pipeline/context/broker-context.ts';
import { openEvent } from '../src/pipeline/context/open-event.ts';
import { executePlan } from '../src/pipeline/execute-plan.ts';
import { readRepositoryConfig, readTrustedConfig } from '../src/webhooks/authorize/read-config.ts';
import { readRequester } from '../src/webhooks/authorize/read-requester.ts';
import { readHeadOf, withConfiguredBase } from '../src/webhooks/authorize/read-thread-facts.ts';
import { endWithRun, showStaged } from './end-run.ts';
import { findOpenTask } from './find-open-task.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import { portsOf, readOwnLogin, type StepSurroundings, stagedWrites } from './job-ports.ts';
import { openThreadState } from './open-thread-state.ts';
import { readPrompt } from './read-prompt.ts';
import { pullTaskPlan, repositoryRef, taskName } from './step-plan.ts';
import { endWithoutRun } from './write-outputs.ts';

/**
 * Runs a task on the base branch, in a checkout of its own, and opens a pull request with the
 * change. Starts nothing while the pull request of an earlier run of the task is open.
 */
export async function runPullTask(
  { job, inputs, octokit }: { readonly job: Job; readonly inputs: ActionInputs; readonly octokit: Octokit },
  surroundings: StepSurroundings,
): Promise<void> {
  const { signal, log } = surroundings;
  const branches = await readBranches(job, inputs, octokit);
  const { config, repository, repositoryId } = branches;
  for (const note of branches.notes) log.warning(note);
  const ownLogin = await readOwnLogin(job, inputs.githubToken);
  const task = taskName(job, config);
  const open = await findOpenTask(octokit, repository, { ownLogin, task });
  if (open !== null) {
    await endWithoutRun(log, 'skipped', openAlready(open));
    return;
  }
  const prompt = await readPrompt(inputs, job, { octokit, base: branches.trustedPlace });
  const requester = await readRequester(octokit, repository, job.actor).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  if (requester === null) {
    await endWithoutRun(log, 'refused', `No run was started: GitHub knows no account ${job.actor}.`);
    return;
  }
  const plan = pullTaskPlan(prompt, { job, inputs, requester, now: new Date(), ...branches });
  const event = { name: job.eventName, delivery_id: null, payload: job.payload };
  const thread = await openThreadState({ event, job, inputs, log });
  const staged = inputs.staged ? await stagedWrites(job, ownLogin) : null;
  const ports = portsOf(job, inputs, surroundings, { thread, ownLogin, readOnlyToken: false });
  const opened = await openEvent(event, { ...ports, ...(staged ?? {}), repositoryId });
  if (opened === null) throw new Error('The state of the repository could not be opened.');
  await opened.beforeRun?.(plan);
  const attempt = { attempt: 1, last: true, lastWhileDown: true };
  const executed = await executePlan(plan, openContext(plan, attempt, signal, withClients(opened)))
    .finally(() => thread.leave())
    .finally(() => showStaged(staged?.staged, log));
  if (executed.kind === 'failed') throw executed.error;
  if (executed.kind === 'skipped') await endWithoutRun(log, 'skipped', executed.reason);
  else await endWithRun({ ...executed, plan }, staged?.staged, inputs, log);
}

const openAlready = (number: number): string =>
  `No run was started: #${number} by an earlier run of this task is open. Merge or close it, and the next run starts. ` +
  'A further task of the same job needs a branch_prefix of its own.';

/** Reads the base branch of the pull request, and the branch with the configuration. */
async function readBranches(job: Job, { overrides }: ActionInputs, octokit: Octokit) {
  const { owner, repository: repo } = job;
  const { data } = await octokit.rest.repos.get({ owner, repo });
  const repository = repositoryRef(job, data);
  const defaultBranch = repository.default_branch;
  const first = await readRepositoryConfig(octokit, { owner, name: repo, branch: defaultBranch }, 'action');
  const wanted = effectiveConfig(overrides, first.config).config.branch?.base;
  const facts = await withConfiguredBase(
    octokit,
    {
      ...{ repositoryId: data.id, repository, title: '', pull: null },
      baseBranch: defaultBranch,
      baseHead: await readHeadOf(octokit, owner, repo, defaultBranch),
    },
    wanted,
  );
  const { baseBranch } = facts;
  const read = await readTrustedConfig(octokit, { owner, name: repo, defaultBranch, baseBranch }, 'action');
  const isBase = read.branch === baseBranch;
  return {
    ...effectiveConfig(overrides, read.config),
    ...{ repository, repositoryId: data.id, source: read.source },
    base: { ref: baseBranch, sha: facts.baseHead },
    trusted: isBase ? null : { ref: read.branch, sha: await readHeadOf(octokit, owner, repo, read.branch) },
    trustedPlace: { owner, name: repo, branch: read.branch },
  };
}
