import * as z from 'zod';
import { Finding, Severity } from './findings.ts';

/**
 * The checks without a model, by their names in the configuration, findings (`check`) and SARIF
 * rules.
 */
export const CheckName = z.enum([
  'conflicts',
  'secrets',
  'workflows',
  'lifecycle',
  'lockfiles',
  'files',
  'unicode',
  'linters',
]);
export type CheckName = z.infer<typeof CheckName>;

const common = {
  enabled: z.boolean().optional(),
  /** Severity of its findings, in place of the check's own. */
  severity: Severity.optional(),
  /** Maximum findings; the number of omitted ones is reported. */
  maximum: z.int().min(1).max(100).optional(),
  /** Globs of paths that it does not look at. */
  ignore: z.array(z.string()).max(100).optional(),
};
const setting = <Shape extends z.ZodRawShape>(more: Shape) =>
  z.union([z.boolean(), z.strictObject({ ...common, ...more })]).optional();

/** `review.checks`: each check on or off, or what bounds it. Left out, a check is on. */
export const CheckSettings = z.strictObject({
  conflicts: setting({}),
  secrets: setting({}),
  workflows: setting({}),
  lifecycle: setting({}),
  lockfiles: setting({}),
  files: setting({
    /** From this size, an added file or one that grows past it is a finding. */
    maxKilobytes: z.int().positive().optional(),
  }),
  unicode: setting({}),
  linters: setting({
    /** True: also on pull requests from forks, whose linter configuration is untrusted code. */
    forks: z.boolean().optional(),
    /** Maximum seconds of one linter. */
    timeoutSeconds: z.int().positive().max(600).optional(),
  }),
});
export type CheckSettings = z.infer<typeof CheckSettings>;

/** Result of the checks of a run. */
export const CheckResult = z.object({
  /** Checks that ran, in the order of `CheckName`. */
  ran: z.array(CheckName),
  findings: z.array(Finding),
  /** Checks with more findings than their maximum. */
  cut: z.array(CheckName).optional(),
  /** Checks that could not run, such as linters if none is installed for the changed files. */
  idle: z.array(CheckName).optional(),
  /** Omissions with their reasons, a sentence each. */
  notes: z.array(z.string()),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** Title of a check, and advice on its findings, for people. */
export const checkRules: Readonly<Record<CheckName, { readonly title: string; readonly help: string }>> = {
  conflicts: {
    title: 'Merge conflict markers',
    help: 'Resolve the conflict: keep the intended code of both sides and delete the marker lines.',
  },
  secrets: {
    title: 'Credentials in the change',
    help: 'Revoke the credential first: everyone who can read the branch has it, and later commits do not remove it. Then read it from the environment or a secret store. For a value that only looks like one, list its path in review.checks.secrets.ignore.',
  },
  workflows: {
    title: 'Changes to what workflows may do',
    help: 'Check who can start the workflow and with which token. Give each job the least permissions, pin third-party actions to a full commit, and pass event values through `env`, not inside a script. Never check out the head of a pull request if `pull_request_target` or `workflow_run` gives a token with write access.',
  },
  lifecycle: {
    title: 'Code that runs automatically on install, build or open',
    help: 'Review this code before you install or open anything from this branch: package managers, build tools, hooks and editors run it automatically.',
  },
  lockfiles: {
    title: 'Manifest and lock file out of step',
    help: 'Run the package manager once so that it writes the lock file, and commit both.',
  },
  files: {
    title: 'Large or binary files',
    help: 'Put build results into a release, and large files into Git LFS or elsewhere: a repository keeps every version forever, and no one can review a binary file.',
  },
  unicode: {
    title: 'Hidden characters',
    help: 'Delete the characters, or write them as escapes. Readers do not see them, and those that change the direction of text make code look different from what a compiler reads (CVE-2021-42574).',
  },
  linters: {
    title: 'Problems that linters of the repository report on changed lines',
    help: 'Fix what the linter reports, or switch its rule off in its own configuration.',
  },
};
