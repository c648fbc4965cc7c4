import type { RunEntry } from './run-ledger.ts';

/**
 * What a listener sees while a run goes on: every ledger entry but the raw conversation, and the text as it
 * streams, which is never recorded piece by piece.
 */
export type RunEvent = Exclude<RunEntry, { type: 'message' }> | { type: 'text.delta'; text: string };
