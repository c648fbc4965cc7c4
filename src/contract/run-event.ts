import type { RunEntry } from './run-ledger.ts';

/** A call of a child, which the record of its own holds whole: what it is about, and the first line of what came of it. */
type ChildEvent = { readonly child_run_id: string; readonly title: string; readonly tool: string } & (
  | { readonly type: 'child_run.tool_call'; readonly what: string }
  | { readonly type: 'child_run.tool_result'; readonly ok: boolean; readonly content: string }
);

/**
 * Events of a run while it goes on: every ledger entry but the raw conversation, the calls of its children, and the text as it
 * streams, which is never recorded piece by piece.
 */
export type RunEvent =
  | Exclude<RunEntry, { type: 'message' }>
  | ChildEvent
  | { type: 'text.delta'; text: string };
