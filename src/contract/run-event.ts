import type { RunEntry } from './run-ledger.ts';

/** A call of a child: its subject, or the first line of its result. The ledger has both whole. */
type ChildEvent = { readonly child_run_id: string; readonly title: string; readonly tool: string } & (
  | { readonly type: 'child_run.tool_call'; readonly what: string }
  | { readonly type: 'child_run.tool_result'; readonly ok: boolean; readonly content: string }
);

/** Entries that listeners do not get: provenance, the raw conversation, the calls of children. */
type SilentEntry = Extract<RunEntry, { type: 'provenance' | 'message' | 'child_run.entry' }>;

/** Returns true for an entry that listeners do not get. */
export const isSilentEntry = (entry: RunEntry): entry is SilentEntry =>
  entry.type === 'message' || entry.type === 'child_run.entry' || entry.type === 'provenance';

/**
 * Events of an active run: every ledger entry but the silent ones, short events of its children's
 * calls, and the streamed text. The ledger has that text only as a whole.
 */
export type RunEvent = Exclude<RunEntry, SilentEntry> | ChildEvent | { type: 'text.delta'; text: string };
