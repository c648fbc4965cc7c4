import * as z from 'zod';

/** What `branch.template` may name in double braces. */
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

/** The first name in double braces that is none of them; null where there is none. */
export function unknownPlaceholder(template: string): string | null {
  const known = new Set<string>(branchPlaceholders);
  const named = [...template.matchAll(/\{\{\s*(.*?)\s*\}\}/gu)].map(([, name]) => name ?? '');
  return named.find((name) => !known.has(name)) ?? null;
}

/** Account names, slugs of teams, labels. */
const Names = z.array(z.string().min(1).max(100)).max(15);

/** How the changes of a run are committed. */
export const CommitSettings = z.strictObject({
  /** The strongest outlet that changes may take. */
  outlet: z.enum(['commit', 'suggestions', 'patch']).optional(),
  /** `api`: GitHub makes and signs the commit, but for what only git can write. `push`: git always does. */
  via: z.enum(['api', 'push']).optional(),
  /** How its headline is worded: as the newest commits of the base branch are, or in one way. */
  style: z.enum(['auto', 'plain', 'conventional']).optional(),
  /** Whether the requester is named as co-author. */
  coAuthor: z.boolean().optional(),
  /** Whether changes are put on a head that moved while the run worked. */
  rebase: z.boolean().optional(),
});

/** What a pull request of a run looks like. */
export const PullRequestSettings = z.strictObject({
  draft: z.boolean().optional(),
  /** The template's path on the base branch; `false` for none. */
  template: z.union([z.string().min(1), z.literal(false)]).optional(),
  labels: Names.optional(),
  assignees: Names.optional(),
  assignRequester: z.boolean().optional(),
  reviewers: Names.optional(),
  teamReviewers: Names.optional(),
});

/** What becomes of a handoff. */
export const HandoffSettings = z.strictObject({
  labels: z.array(z.string()).optional(),
  assignees: Names.optional(),
  /** The path of a Markdown file on the base branch. */
  template: z.string().min(1).optional(),
  /** Whether a handoff to the next thread starts a run on its issue. */
  autorun: z.boolean().optional(),
});

/** How new branches are named. */
export const BranchSettings = z.strictObject({
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
