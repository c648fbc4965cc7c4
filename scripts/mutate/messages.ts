/**
 * Tests to run with this code for `file`; null leaves the file unchanged. Paths are relative to the
 * root.
 */
export interface Task {
  readonly file: string;
  readonly code: string | null;
  readonly tests: readonly string[];
}

/**
 * A message of the process that runs tests: it still works, or the first failed test, null for
 * none.
 */
export type Message = { readonly alive: true } | { readonly failed: string | null };
