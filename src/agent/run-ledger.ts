import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import { redactMessage, redactValue } from '../permissions/redaction/redact-value.ts';

/** The append-only record of a run: what `record` was given, in order, in memory and in the file. */
export interface RunLedger {
  readonly lines: readonly RunLedgerLine[];
  record(entry: RunEntry): void;
  /** The newest entry as it is kept, without secrets; null before the first. */
  readonly last: RunEntry | null;
  /** Hands what is buffered to the file without waiting for the disk; called at the end of a turn. */
  flush(): void;
  /** Writes and syncs everything. A failed write surfaces here: a run without its record has failed. */
  close(): Promise<void>;
}

/**
 * Opens a new ledger file, JSON Lines, one `RunLedgerLine` a line. `record` never blocks: lines are buffered
 * and written in order behind the run. `redact` is applied to all text of an entry, though
 * not to images, before it is kept anywhere.
 */
export function openRunLedger(
  file: string,
  options: { now: () => Date; redact: (text: string) => string },
): RunLedger {
  const lines: RunLedgerLine[] = [];
  let buffered = '';
  let last: RunEntry | null = null;
  const opened = mkdir(path.dirname(file), { recursive: true, mode: 0o700 }).then(() =>
    open(file, 'ax', 0o600),
  );
  let tail: Promise<void> = opened.then(() => undefined);
  // Kept for `close`; without a handler here the rejection would count as unhandled before anybody asks.
  tail.catch(() => undefined);

  const flush = () => {
    if (buffered === '') return;
    const text = buffered;
    buffered = '';
    tail = tail.then(async () => {
      await (await opened).appendFile(text);
    });
    tail.catch(() => undefined);
  };

  return {
    lines,
    get last() {
      return last;
    },
    record(entry) {
      const clean = redactEntry(entry, options.redact);
      last = clean;
      const line: RunLedgerLine = {
        v: 1,
        seq: lines.length + 1,
        at: options.now().toISOString(),
        entry: clean,
      };
      lines.push(line);
      buffered += `${JSON.stringify(line)}\n`;
    },
    flush,
    async close() {
      flush();
      await tail;
      const handle = await opened;
      await handle.datasync();
      await handle.close();
    },
  };
}

function redactEntry(entry: RunEntry, redact: (text: string) => string): RunEntry {
  if (entry.type !== 'message') return redactValue(entry, redact);
  const message = redactMessage(entry.message, redact, 'redact');
  return message === entry.message ? entry : { ...entry, message };
}
