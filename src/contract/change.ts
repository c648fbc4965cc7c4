import * as z from 'zod';

/**
 * One entry of the change ledger: what one tool call did to one file. `before` and `after` are
 * SHA-256 of the content (of a link: its target), null where the file did not exist. The modes are
 * git's (100644, 100755, 120000). `diff` is unified, git style, empty for binary files.
 */
export const Change = z.object({
  path: z.string(),
  kind: z.enum(['add', 'modify', 'delete', 'rename']),
  old_path: z.string().optional(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  before_mode: z.string().nullable().optional(),
  after_mode: z.string().nullable().optional(),
  diff: z.string(),
  risk: z.enum(['low', 'medium', 'high']),
  validation: z.enum(['unchecked', 'passed', 'failed']),
  tool: z.string(),
  call_id: z.string(),
});
export type Change = z.infer<typeof Change>;

/**
 * One file of the final diff between the tree a run started from and the tree it left. `content` is
 * base64, null for a deleted file; `mode` is git's (100644, 100755, 120000), and `old_mode` the
 * base's.
 */
export const FileChange = z.object({
  path: z.string(),
  kind: z.enum(['add', 'modify', 'delete', 'rename']),
  old_path: z.string().optional(),
  mode: z.string().nullable(),
  old_mode: z.string().nullable(),
  content: z.string().nullable(),
  binary: z.boolean(),
  diff: z.string(),
});
export type FileChange = z.infer<typeof FileChange>;

/**
 * The run's whole effect on the work tree: git's own binary-safe patch, and the same file by file.
 */
export const ChangeSet = z.object({
  base_sha: z.string(),
  patch: z.string(),
  files: z.array(FileChange),
  /** New or changed files that are too large for the patch. Omitted if there are none. */
  left_out: z.array(z.string()).optional(),
});
export type ChangeSet = z.infer<typeof ChangeSet>;
