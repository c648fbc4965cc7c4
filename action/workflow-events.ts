import { ConfigError } from '../src/contract/errors.ts';

/** Use of an event that starts a workflow. */
interface WorkflowEvent {
  /** True if only accounts with write permission, or GitHub for the repository, cause it. */
  readonly byWriters?: true;
  /** True if it may start a run without a prompt, like an event of the App. */
  readonly decides?: true;
}

const byWriters: WorkflowEvent = { byWriters: true };
const byAnyone: WorkflowEvent = {};
const decides: WorkflowEvent = { decides: true };

/**
 * The events that may start a workflow (GitHub Docs, "Events that trigger workflows"). A reusable
 * workflow has the event of its caller.
 */
export const workflowEvents: Readonly<Record<string, WorkflowEvent>> = {
  branch_protection_rule: byWriters,
  check_run: decides,
  check_suite: byAnyone,
  create: byWriters,
  delete: byWriters,
  deployment: byWriters,
  deployment_status: byWriters,
  discussion: byAnyone,
  discussion_comment: byAnyone,
  fork: byAnyone,
  gollum: byAnyone,
  image_version: byAnyone,
  issue_comment: decides,
  issues: decides,
  label: byAnyone,
  merge_group: byWriters,
  milestone: byAnyone,
  page_build: byAnyone,
  public: byWriters,
  pull_request: decides,
  pull_request_review: decides,
  pull_request_review_comment: decides,
  pull_request_target: decides,
  push: byWriters,
  registry_package: byAnyone,
  release: byWriters,
  repository_dispatch: byWriters,
  schedule: byWriters,
  status: byAnyone,
  watch: byAnyone,
  workflow_dispatch: byWriters,
  workflow_run: decides,
};

const useOf = (name: string): WorkflowEvent =>
  Object.hasOwn(workflowEvents, name) ? (workflowEvents[name] ?? byAnyone) : byAnyone;

/** Returns true if a step with a prompt needs no check of the account that caused its event. */
export function isCausedByWriters(name: string): boolean {
  return useOf(name).byWriters === true;
}

/**
 * Throws `ConfigError` for an event that can start nothing without a prompt, since the workflow
 * would end green each time.
 */
export function checkPromptless(name: string): void {
  if (useOf(name).decides) return;
  throw new ConfigError(
    `The event ${name} starts nothing without a task. Set the input \`prompt\`, or use an event with a thread: ${deciding.join(', ')}.`,
    { key: 'prompt' },
  );
}

const deciding = Object.keys(workflowEvents).filter((name) => workflowEvents[name]?.decides);

/**
 * Returns the event's name in the App. `pull_request_target` has the payload of `pull_request`;
 * only the rights of its job differ.
 */
export function threadEvent(name: string): string {
  return name === 'pull_request_target' ? 'pull_request' : name;
}
