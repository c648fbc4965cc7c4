/** A workflow that `anode init` writes. `docs/examples/NAME.yml` is its text. */
export interface WorkflowUse {
  /** The purpose, as a noun phrase. */
  readonly title: string;
  /** Steps to see it work, in one sentence. */
  readonly trial: string;
  /** True if its runs can open pull requests with the job's own token. */
  readonly opensPulls?: true;
}

const comment = 'Comment `@anode what does this change?` on a pull request.';
const task = 'Comment `@anode fix the typo in README.md` on a pull request.';
const byHand = 'Start it under *Actions* → *Run workflow*.';

/** All uses by name, the most frequent first. */
export const workflowUses = {
  review: { title: 'review of each pull request', trial: 'Open a pull request.' },
  comments: { title: 'tasks by a comment', trial: comment, opensPulls: true },
  issues: {
    title: 'a pull request from an issue',
    trial: 'Give an issue the label `anode:implement`.',
    opensPulls: true,
  },
  'failed-build': {
    title: 'repair of a failed build',
    trial: 'Push a commit that breaks a pull request of the bot.',
  },
  forks: { title: "review of forks' pull requests", trial: 'Open a pull request from a fork.' },
  checks: { title: 'checks without a model', trial: 'Open a pull request.' },
  nightly: { title: 'report on new issues each night', trial: byHand },
  upkeep: { title: 'a pull request from a task each week', trial: byHand, opensPulls: true },
  dependencies: { title: 'update of dependencies each week', trial: byHand },
  'release-notes': { title: 'release notes for a tag', trial: 'Push a tag such as `v1.2.3`.' },
  monorepo: {
    title: 'review of one package of many',
    trial: 'Change a file of that package in a pull request.',
  },
  ghes: { title: 'tasks by a comment, on GitHub Enterprise Server', trial: comment, opensPulls: true },
  'two-jobs': { title: 'tasks by a comment, in two jobs', trial: comment, opensPulls: true },
  keyless: {
    title: 'tasks by a comment, with commits that the workflow signs',
    trial: task,
    opensPulls: true,
  },
  'local-model': { title: 'tasks by a comment, with a model of your own', trial: comment, opensPulls: true },
} as const satisfies Readonly<Record<string, WorkflowUse>>;

export type WorkflowUseName = keyof typeof workflowUses;

/** Returns the path of a use's workflow in a repository. */
export const workflowPath = (name: WorkflowUseName): string => `.github/workflows/anode-${name}.yml`;
