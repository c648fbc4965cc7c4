/** Tests to run, with `file` having this code; null leaves it as it is. Paths are relative to the root. */
export interface Task {
  readonly file: string;
  readonly code: string | null;
  readonly tests: readonly string[];
}

/** What the process that runs tests tells: that it still works, or the first test that failed, null for none. */
export type Message = { readonly alive: true } | { readonly failed: string | null };
