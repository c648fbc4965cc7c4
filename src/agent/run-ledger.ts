import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';

/** The append-only record of a run: what `record` was given, in order, in memory and in the file. */
export interface RunLedger {
  readonly lines: readonly RunLedgerLine[];
  record(entry: RunEntry): void;
  /** Hands what is buffered to the file without waiting for the disk; called at the end of a turn. */
  flush(): void;
  /** Writes and syncs everything. A failed write surfaces here: a run without its record has failed. */
  close(): Promise<void>;
}

/**
 * Opens a new ledger file, JSON Lines, one `RunLedgerLine` a line. `record` never blocks: lines are buffered
 * and written in order behind the run. `redact` is applied to each line before it is kept anywhere.
 */
export function openRunLedger(
  file: string,
  options: { now: () => Date; redact: (text: string) => string },
): RunLedger {
  const lines: RunLedgerLine[] = [];
  let buffered = '';
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
    record(entry) {
      const line: RunLedgerLine = { v: 1, seq: lines.length + 1, at: options.now().toISOString(), entry };
      const written = JSON.stringify(line);
      const text = options.redact(written);
      // What nothing was taken out of is kept as it is: a line may hold a whole tool result.
      lines.push(text === written ? line : (JSON.parse(text) as RunLedgerLine));
      buffered += `${text}\n`;
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
