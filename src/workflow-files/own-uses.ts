import type { JobStep, WorkflowFile, WorkflowJob } from './parse-workflow.ts';

/** A step of Anode CI in a workflow, or a job that calls one of its reusable workflows. */
export interface OwnUse {
  readonly job: WorkflowJob;
  /** Null for a job that calls a reusable workflow. */
  readonly step: JobStep | null;
  readonly line: number;
  /** The inputs as the workflow writes them, expressions included. */
  readonly inputs: JobStep['inputs'];
  /** True with a prompt. False if the event decides. */
  readonly isTask: boolean;
  /** True if the change of its task becomes a pull request. */
  readonly createsPull: boolean;
  /** True if another job publishes: this one's token only reads. */
  readonly isAgentJob: boolean;
  /** True if no model is asked. */
  readonly isChecksOnly: boolean;
  /** True if reviews are all that the step does. */
  readonly isReview: boolean;
  /** True if `github_token` is given another token than the job's. */
  readonly hasOwnToken: boolean;
}

/** The Action at the root of its repository or in `action`, or one of its reusable workflows. */
const ownReference = /(?:^|\/)anode-ci(?:\/action|\/\.github\/workflows\/[^@]+)?@/i;
const jobToken = /^\s*\$\{\{\s*(?:github\.token|secrets\.GITHUB_TOKEN)\s*\}\}\s*$/;

/** Returns true for a `uses:` of Anode CI. */
export const isOwnReference = (uses: string): boolean => ownReference.test(uses);

/** Returns each use of Anode CI in a workflow, from top to bottom. */
export function findOwnUses(workflow: WorkflowFile): OwnUse[] {
  return workflow.jobs.flatMap((job) => {
    const calls = job.calls !== null && isOwnReference(job.calls.text) ? [useOf(job, null)] : [];
    const steps = job.steps.filter(({ uses }) => uses !== null && isOwnReference(uses.text));
    return [...calls, ...steps.map((step) => useOf(job, step))];
  });
}

/** True for every value but `false` and an expression: another word is a mistake for `true`. */
const isMeantOn = (value: string): boolean => !/^(?:false)?$/i.test(value) && !value.includes('${{');

function useOf(job: WorkflowJob, step: JobStep | null): OwnUse {
  const inputs = step === null ? job.inputs : step.inputs;
  const given = (name: string): string => inputs.get(name)?.text ?? '';
  const isChecksOnly = given('checks_only') === 'true';
  const isTask = ['prompt', 'prompt_file'].some((name) => given(name) !== '');
  const token = given('github_token');
  return {
    job,
    step,
    line: step?.uses?.line ?? job.calls?.line ?? job.line,
    inputs,
    isTask,
    createsPull: isTask && isMeantOn(given('create_pull_request')),
    isAgentJob: given('job') === 'agent',
    isChecksOnly,
    isReview: given('mode') === 'review' || given('profile') === 'review' || isChecksOnly,
    hasOwnToken: token !== '' && !jobToken.test(token),
  };
}
