import * as z from 'zod';

export const Severity = z.enum(['info', 'low', 'medium', 'high', 'critical']);
export type Severity = z.infer<typeof Severity>;

/** One remark of a review, on one line or range of one side of the diff. */
export const Finding = z.object({
  path: z.string().min(1),
  side: z.enum(['RIGHT', 'LEFT']).default('RIGHT'),
  start_line: z.int().positive().optional(),
  line: z.int().positive(),
  severity: Severity,
  category: z.string().min(1),
  title: z.string().min(1),
  body: z.string().min(1),
  suggestion: z.string().optional(),
  check: z.string().optional(),
});
export type Finding = z.infer<typeof Finding>;

/** An earlier finding that a later review ends, though its own lines may be as they were. */
export const ClosedFinding = z.object({
  /** Its id, or the beginning. */
  id: z.string().regex(/^[0-9a-f]{7,16}(?:-\d{1,4})?$/),
  reason: z.string().min(1).max(300),
});
export type ClosedFinding = z.infer<typeof ClosedFinding>;

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

/** Result of trying a suggested change before it is offered. */
export const SuggestionCheck = z.object({
  path: z.string(),
  /** Lines of the reviewed head that it replaces, both included. */
  first_line: z.int().positive(),
  last_line: z.int().positive(),
  /** SHA-256 over the lines that take their place, the first 16 hexadecimal digits. */
  digest: z.string(),
  result: z.enum(['passed', 'failed', 'not_run']),
  /** One sentence of ours; '' if there is none. With `command`, the effect of the command. */
  said: z.string().max(400),
  /** The command that it was tried with. */
  command: z.string().max(200).optional(),
  /** A line that the check printed, unchanged. */
  quote: z.string().max(300).optional(),
});
export type SuggestionCheck = z.infer<typeof SuggestionCheck>;

/**
 * A finding of a pull request as published: in threads, the summary, the check and the SARIF file.
 */
export interface ToldFinding {
  readonly id: string;
  /** `outside`: open, but the pull request does not change its file any longer. */
  readonly state: 'new' | 'carried' | 'fixed' | 'dismissed' | 'outside';
  readonly finding: Finding;
  /** The id of its comment on a line; null if only the summary lists it. */
  readonly thread: number | null;
  /** The login of who dismissed it, or the commit that fixed it; null if unknown. */
  readonly by: string | null;
  /** Why a person dismissed it, or a later review closed it. Default: none. */
  readonly reason?: string;
}

/** 0 for `info` to 4 for `critical`. */
export function severityRank(severity: Severity): number {
  return Severity.options.indexOf(severity);
}
