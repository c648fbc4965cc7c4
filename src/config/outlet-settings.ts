import * as z from 'zod';

/** Placeholders of `branch.template`, written in double braces. */
export const branchPlaceholders = [
  'prefix',
  'entityType',
  'entityNumber',
  'timestamp',
  'date',
  'slug',
  'sha',
  'requester',
  'run',
] as const;
export type BranchPlaceholder = (typeof branchPlaceholders)[number];

/** The first name in double braces that is no placeholder; else null. */
export function unknownPlaceholder(template: string): string | null {
  const known = new Set<string>(branchPlaceholders);
  const named = [...template.matchAll(/\{\{\s*(.*?)\s*\}\}/gu)].map(([, name]) => name ?? '');
  return named.find((name) => !known.has(name)) ?? null;
}

/** Account names, slugs of teams, labels. */
const Names = z.array(z.string().min(1).max(100)).max(15);

/** Commits of a run's changes. */
export const CommitSettings = z.strictObject({
  /** The strongest outlet that changes may take. */
  outlet: z.enum(['commit', 'suggestions', 'patch']).optional(),
  /**
   * `api`: GitHub makes and signs the commit, except what only git writes. `push`: git always
   * does.
   */
  via: z.enum(['api', 'push']).optional(),
  /** Style of its headline: like the newest commits of the base branch, or fixed. */
  style: z.enum(['auto', 'plain', 'conventional']).optional(),
  /** Names the requester as co-author. */
  coAuthor: z.boolean().optional(),
  /** Rebases changes on a head that moved while the run worked. */
  rebase: z.boolean().optional(),
  /**
   * Signing of commits' attestations. `key`: only with the operator's key. `keyless`: else with the
   * identity of the workflow. `auto`: so in public repositories only.
   */
  attestation: z.enum(['auto', 'key', 'keyless']).optional(),
});

/** A public key as PEM. */
const PublicKey = z
  .string()
  .max(2_000)
  .regex(/^\s*-----BEGIN PUBLIC KEY-----[\s\S]+-----END PUBLIC KEY-----\s*$/, 'an Ed25519 public key as PEM');

/** The identity of a workflow, as a certificate names it. */
const Identity = z
  .string()
  .max(300)
  .regex(
    /^https?:\/\/[^\s@]+@[^\s@]+$/,
    'a workflow with its ref: https://github.com/acme/shop/.github/workflows/anode.yml@refs/heads/main',
  );

/** Demands on pull requests with commits of runs, reported by checks that a rule can require. */
export const AgentCommitSettings = z.strictObject({
  /** Reports as `anode/provenance` whether each such commit is the attested one. */
  attested: z.boolean().optional(),
  /** The keys to believe, besides the one that this program signs with. */
  publicKeys: z.array(PublicKey).max(8).optional(),
  /** The workflows to believe, with their refs; `*` stands for any text without `@`. */
  identities: z.array(Identity).max(8).optional(),
  /** Issuer of these identities. Default: GitHub's. */
  issuer: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .optional(),
  /** Number of people who have to approve such a head, reported as `anode/approvals`. */
  approvals: z.int().min(1).max(6).optional(),
});

/** Form of a run's pull request. */
export const PullRequestSettings = z.strictObject({
  draft: z.boolean().optional(),
  /** The template's path on the base branch; `false` for none. */
  template: z.union([z.string().min(1), z.literal(false)]).optional(),
  labels: Names.optional(),
  assignees: Names.optional(),
  assignRequester: z.boolean().optional(),
  reviewers: Names.optional(),
  /** Requests a review from the requester too. */
  reviewByRequester: z.boolean().optional(),
  teamReviewers: Names.optional(),
});

/** Handling of a handoff. */
export const HandoffSettings = z.strictObject({
  labels: z.array(z.string()).optional(),
  /** Logins, and `@requester`. */
  assignees: Names.optional(),
  /** Logins and teams to notify, and `@requester`. */
  mention: Names.optional(),
  /** The path of a Markdown file on the base branch. */
  template: z.string().min(1).optional(),
  /** Starts a run on the issue of a handoff to the next thread. */
  autorun: z.boolean().optional(),
});

/** Names of new branches. */
export const BranchSettings = z.strictObject({
  /** The branch that new branches start from and go back to. Default: the default branch. */
  base: z.string().min(1).max(200).optional(),
  prefix: z.string().optional(),
  template: z
    .string()
    .min(1)
    .refine((template) => unknownPlaceholder(template) === null, {
      error: ({ input }) =>
        `{{${unknownPlaceholder(String(input))}}} is no placeholder; there are ${branchPlaceholders.join(', ')}`,
    })
    .optional(),
});
