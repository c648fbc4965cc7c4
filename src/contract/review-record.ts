import * as z from 'zod';
import { Severity } from './findings.ts';

/**
 * A finding as reported on a pull request, and its later state. `id` is the fingerprint of its
 * first report and stays; path, texts and occurrence give its current location.
 */
export const PreviousFinding = z.object({
  id: z.string(),
  path: z.string(),
  side: z.enum(['RIGHT', 'LEFT']),
  /** Line in the commit it was last seen in, for display only. */
  line: z.int().positive(),
  /** The first of several lines. */
  start_line: z.int().positive().optional(),
  severity: Severity,
  category: z.string(),
  title: z.string(),
  /** Its text, or the beginning of it. Omitted if only GitHub has it. */
  body: z.string().max(1_000).optional(),
  /** The new text of its lines, unless it is long. */
  suggestion: z.string().max(1_000).optional(),
  /** True if only the summary lists it, without a comment on a line. */
  folded: z.boolean().optional(),
  /** The check that found it; null for a finding of a model. */
  check: z.string().nullable().default(null),
  /** Its lines without white space; '' if they could not be read. */
  anchor: z.string(),
  /** A hash of these lines and those around. */
  window: z.string(),
  /** Number of equal anchors above it in its file. */
  occurrence: z.int().nonnegative(),
  /** Lines from the last of these to the finding's last line. Omitted if they are the same. */
  shift: z.int().optional(),
  /**
   * True while the pull request does not change its file, as after a change of the base branch. An
   * open finding then counts as neither open nor fixed.
   */
  outside: z.boolean().optional(),
  state: z.enum(['open', 'fixed', 'dismissed']),
  /** The run that reported it, or was about to when it ended. */
  run_id: z.string(),
  /** Login of the person who dismissed it. */
  dismissed_by: z.string().nullable().default(null),
  /** The user's reason for the dismissal; null for none. */
  dismissed_reason: z.string().nullish(),
  /**
   * The commit that fixed it, null if unknown, and the run that saw it. `reason`: a review ended it
   * by its id.
   */
  fixed: z
    .object({ sha: z.string().nullable(), run_id: z.string(), reason: z.string().optional() })
    .nullable()
    .default(null),
});
export type PreviousFinding = z.infer<typeof PreviousFinding>;

/**
 * A state of a pull request that was completely reviewed, alone or together with earlier reviews.
 */
export const Reviewed = z.object({
  head: z.string(),
  base: z.string(),
  /** Files omitted for lack of space, which the next review therefore treats as new. */
  unseen: z.array(z.string()).optional(),
});
export type Reviewed = z.infer<typeof Reviewed>;

/**
 * The lines of a pull request's diff that are new since its last review, by file: `R12` for line 12
 * of the new file, `L12` for one of the old file. `all`: the whole change of the file is new.
 */
export type NewLines = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

/** All that is remembered of the reviews of one pull request. */
export const ReviewRecord = z.object({
  version: z.literal(1),
  reviewed: Reviewed.nullable(),
  /** The commit that the lines of the findings count in. Omitted by earlier versions. */
  located: z.string().optional(),
  findings: z.array(PreviousFinding).max(2_000),
});
export type ReviewRecord = z.infer<typeof ReviewRecord>;

/**
 * A replacement of whole lines that a run offers on a pull request, under the id its comment
 * carries.
 */
export const PostedSuggestion = z.object({
  id: z.string(),
  path: z.string(),
  /** Lines of the reviewed head, both included, from 1. */
  first_line: z.int().positive(),
  last_line: z.int().positive(),
  /** The replaced lines, without line ends. */
  before: z.array(z.string()).min(1),
  /** Empty: the lines go away. */
  after: z.array(z.string()),
});
export type PostedSuggestion = z.infer<typeof PostedSuggestion>;

/**
 * Suggestions of a run on a pull request, as we stored them. Comments on GitHub may have been
 * edited.
 */
export const PostedSuggestions = z.object({
  version: z.literal(1),
  run_id: z.string(),
  owner: z.string(),
  name: z.string(),
  thread: z.int().positive(),
  /** The commit they are about. */
  head: z.string(),
  suggestions: z.array(PostedSuggestion).max(1_000),
});
export type PostedSuggestions = z.infer<typeof PostedSuggestions>;

/** A suggestion that was not applied, and the reason, as the end of a sentence. */
export const LeftSuggestion = z.object({ path: z.string(), line: z.int(), why: z.string() });
export type LeftSuggestion = z.infer<typeof LeftSuggestion>;

/** Suggestions chosen for a commit, stored before the commit is made. */
export const AppliedSuggestions = z.object({
  version: z.literal(1),
  /** The commit that they were put on. */
  onto: z.string(),
  applied: z.array(z.string()),
  left: z.array(LeftSuggestion),
});
export type AppliedSuggestions = z.infer<typeof AppliedSuggestions>;
