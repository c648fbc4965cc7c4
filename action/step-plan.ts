import path from 'node:path';
import { defaultBranchPrefix, limitsOf, presetOf, sandboxOf } from '../src/config/defaults.ts';
import { limitsByInput } from '../src/config/limits-by-input.ts';
import type { Config } from '../src/config/schema.ts';
import type { RepositoryRef, Requester, RunPlan } from '../src/contract/plan.ts';
import { cloneUrl } from '../src/github/clone-url.ts';
import { newRunId } from '../src/run/records/run-context.ts';
import type { ConfigFile } from '../src/webhooks/authorize/read-config.ts';
import { branchName, slugOf } from '../src/webhooks/plan/branch-name.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';

/** Returns a job's repository, from GitHub's answer on it. */
export const repositoryRef = (
  { owner, repository: name, serverUrl }: Pick<Job, 'owner' | 'repository' | 'serverUrl'>,
  answer: Pick<RepositoryRef, 'default_branch' | 'private'>,
): RepositoryRef => ({
  ...{ owner, name, default_branch: answer.default_branch },
  clone_url: cloneUrl(serverUrl, owner, name),
  private: answer.private,
});

/** Everything that the plan of a step is made from. */
interface StepFacts {
  readonly job: Job;
  readonly inputs: ActionInputs;
  readonly config: Config;
  readonly repository: RepositoryRef;
  /** File of the configuration; null without one. */
  readonly source: ConfigFile | null;
}

/** Makes the plan that is equivalent to a step. */
export function stepPlan(prompt: string, { job, inputs, config, repository, source }: StepFacts): RunPlan {
  const onlyReviews = inputs.mode === 'review';
  return {
    version: 1,
    run_id: newRunId('run'),
    session_id: newRunId('sess'),
    source: { kind: 'action', delivery_id: null },
    installation_id: null,
    repository,
    thread: null,
    verb: 'step',
    prompt,
    thread_context: '',
    attachments: [],
    requester: { login: job.actor, id: 0, type: 'User', permission: 'write' },
    trigger_comment: null,
    triggered_at: new Date().toISOString(),
    checkout: {
      ref: job.ref,
      sha: job.sha,
      base_ref: repository.default_branch,
      base_sha: null,
      fork: false,
    },
    push: { kind: 'none', reason: "A step leaves its changes in the job's checkout." },
    // A review begins with the checks; without a model there is nothing else.
    profile: onlyReviews || config.review?.checksOnly ? 'review' : (config.profile ?? 'craft'),
    model: inputs.overrides.model ?? null,
    preset: presetOf(config),
    read_only: onlyReviews,
    sandbox: sandboxOf(config, null),
    limits: limitsOf(config),
    limits_by_input: limitsByInput(inputs.overrides, config),
    resume: null,
    config_text: source?.text ?? null,
    config_file: source?.file ?? null,
  };
}

/** A branch and its head. */
interface BranchHead {
  readonly ref: string;
  readonly sha: string;
}

/** The further facts of a task whose change becomes a pull request. */
interface PullTaskFacts extends StepFacts {
  readonly requester: Requester;
  readonly base: BranchHead;
  /** The branch that steers the run, if it is not the base branch. */
  readonly trusted: BranchHead | null;
  readonly now: Date;
}

/** Makes the plan of a task whose change becomes a pull request into `base`. */
export function pullTaskPlan(prompt: string, facts: PullTaskFacts): RunPlan {
  const { job, config, base, trusted, requester, now } = facts;
  const plan = stepPlan(prompt, facts);
  return {
    ...plan,
    verb: 'task',
    workflow: { name: job.workflow.name, task: taskName(job, config) },
    requester,
    triggered_at: now.toISOString(),
    checkout: {
      ref: `refs/heads/${base.ref}`,
      sha: base.sha,
      base_ref: base.ref,
      base_sha: null,
      fork: false,
      ...(trusted === null ? {} : { trusted }),
    },
    push: {
      kind: 'new_branch',
      branch: newBranch(plan, facts),
      base: base.ref,
      expected_sha: base.sha,
      closes: null,
    },
  };
}

/**
 * Returns the name of a task among the pull requests of the workflows: file and job, with the
 * folder and the branch names if they are set. Jobs of a matrix differ only by these.
 */
export function taskName({ workflow }: Pick<Job, 'workflow'>, { workspace, branch }: Config): string {
  return [
    `${workflow.file}#${workflow.job}`,
    workspace?.directory ?? '',
    branch?.template ?? branch?.prefix ?? '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const defaultTemplate = '{{prefix}}{{entityNumber}}-{{timestamp}}';

/** `anode/upkeep-20261129-101500`: the workflow's file, and the time in UTC. */
function newBranch(
  { run_id }: RunPlan,
  { job, config, base, requester, repository, now }: PullTaskFacts,
): string {
  const timestamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const file = slugOf(path.parse(job.workflow.file).name);
  return branchName(
    config.branch?.template ?? defaultTemplate,
    {
      prefix: config.branch?.prefix ?? defaultBranchPrefix,
      entityType: 'workflow',
      entityNumber: file,
      timestamp,
      date: timestamp.slice(0, 8),
      slug: slugOf(job.workflow.name),
      sha: base.sha.slice(0, 7),
      requester: requester.login,
      run: run_id,
    },
    repository.default_branch,
  );
}
