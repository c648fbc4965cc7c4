import { open } from 'node:fs/promises';
import path from 'node:path';
import type { RunEvent } from '../../contract/run-event.ts';
import type { RunEntry, RunLedgerLine } from '../../contract/run-ledger.ts';
import type { TraceEvent, TraceLine } from '../../contract/run-trace.ts';
import { redactValue } from '../../redaction/redact-value.ts';
import { appendBehind } from './append-behind.ts';
import { mostLedgerBytes } from './open-run-ledger.ts';

/** The raw events of a run, with their times, in a file beside the ledger. */
export interface RunTrace {
  /** Notes an entry of the ledger, by its number; null for an entry that was not written. */
  readonly addEntry: (entry: RunEntry, line: RunLedgerLine | null) => void;
  /** Adds an event that the ledger does not have. Others are ignored. */
  readonly addEvent: (event: RunEvent) => void;
  /** Writes everything. Rejects if a write failed. */
  close(): Promise<void>;
}

/** Returns the file of the trace beside a ledger. */
export function traceBeside(ledgerFile: string): string {
  return path.join(path.dirname(ledgerFile), 'trace.jsonl');
}

interface TraceOptions {
  readonly now: () => Date;
  /** Applied to all text of an event. */
  readonly redact: (text: string) => string;
  /** Maximum bytes of the file. Default: `mostLedgerBytes`. */
  readonly mostBytes?: number | undefined;
}

/**
 * Opens the trace of a run: JSON Lines, one `TraceLine` a line. Text is buffered and written at
 * the start of each turn. A trace at its limit ends with a `cut` line.
 */
export function openRunTrace(traceFile: string, options: TraceOptions): RunTrace {
  const { now, redact, mostBytes = mostLedgerBytes } = options;
  const file = appendBehind(open(traceFile, 'ax', 0o600), { sync: false });
  let bytes = 0;
  let isCut = false;

  const add = (event: TraceEvent, at: string) => {
    if (isCut) return;
    const line = lineOf(event, at);
    bytes += Buffer.byteLength(line);
    isCut = bytes > mostBytes;
    file.add(isCut ? lineOf({ type: 'cut', limit_bytes: mostBytes }, at) : line);
    if (event.type === 'ledger' && event.entry === 'turn.started') file.flush();
  };

  return {
    addEntry({ type }, line) {
      const seq = line?.seq ?? null;
      add({ type: 'ledger', entry: type, seq }, line?.at ?? now().toISOString());
    },
    addEvent(event) {
      if (isTraced(event)) add(redactValue(event, redact), now().toISOString());
    },
    close: file.close,
  };
}

const lineOf = (event: TraceEvent, at: string): string =>
  `${JSON.stringify({ v: 1, at, event } satisfies TraceLine)}\n`;

type Traced = Extract<RunEvent, { type: 'text.delta' | 'child_run.tool_call' | 'child_run.tool_result' }>;

const isTraced = (event: RunEvent): event is Traced =>
  ['text.delta', 'child_run.tool_call', 'child_run.tool_result'].includes(event.type);
