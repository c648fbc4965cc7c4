import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import type { RunEntry, RunLedgerLine } from '../../contract/run-ledger.ts';
import { redactMessage, redactValue } from '../../redaction/redact-value.ts';

/** The append-only record of a run: what `record` was given, in order, in the file. */
export interface RunLedger {
  /**
   * Entries in memory, from which outcome and session are made. The conversation and the long texts
   * of calls, results and changes are omitted, so a long run needs little more memory than a short
   * one.
   */
  readonly lines: readonly RunLedgerLine[];
  record(entry: RunEntry): void;
  /** The newest entry as stored, without secrets; null before the first. */
  readonly last: RunEntry | null;
  /**
   * Hands what is buffered to the file without waiting for the disk; called at the end of a turn.
   */
  flush(): void;
  /**
   * Writes and syncs everything. A failed write surfaces here: a run without its record has failed.
   * Returns the end of the chain.
   */
  close(): Promise<LedgerEnd>;
}

/** The end of a ledger's chain: its number of lines, and the hash of the last; null for no line. */
export interface LedgerEnd {
  readonly entries: number;
  readonly sha256: string | null;
}

/** Returns the SHA-256 (hex) of a line without its line end: `prev` of the next line. */
export function lineHash(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

interface LedgerOptions {
  readonly now: () => Date;
  /** Applied to all text of an entry, but not to images, before it is stored anywhere. */
  readonly redact: (text: string) => string;
  /** Called with each entry as it is written, also of the conversation. Default: nothing. */
  readonly onEntry?: (entry: RunEntry) => void;
}

/**
 * Opens a new ledger file, JSON Lines, one `RunLedgerLine` a line. `record` never blocks: lines are
 * buffered and written in order behind the run. Each line names the hash of the line before.
 */
export function openRunLedger(file: string, options: LedgerOptions): RunLedger {
  const lines: RunLedgerLine[] = [];
  let buffered = '';
  let last: RunEntry | null = null;
  let count = 0;
  let head: string | null = null;
  const opened = mkdir(path.dirname(file), { recursive: true, mode: 0o700 }).then(() =>
    open(file, 'ax', 0o600),
  );
  let tail: Promise<void> = opened.then(() => undefined);
  // Stored for `close`; without a handler here the rejection would count as unhandled.
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
      options.onEntry?.(clean);
      count += 1;
      const line: RunLedgerLine = {
        v: 1,
        seq: count,
        at: options.now().toISOString(),
        prev: head,
        entry: clean,
      };
      const text = JSON.stringify(line);
      head = lineHash(text);
      buffered += `${text}\n`;
      const stored = text.length > shortLine ? withoutLongTexts(clean) : clean;
      if (stored.type !== 'message') lines.push({ ...line, entry: stored });
    },
    flush,
    async close() {
      flush();
      await tail;
      const handle = await opened;
      await handle.datasync();
      await handle.close();
      return { entries: count, sha256: head };
    },
  };
}

/** Maximum characters of a line whose entry stays complete in memory. */
const shortLine = 1_000;

function redactEntry(entry: RunEntry, redact: (text: string) => string): RunEntry {
  if (entry.type !== 'message') return redactValue(entry, redact);
  const message = redactMessage(entry.message, redact, 'redact');
  return message === entry.message ? entry : { ...entry, message };
}

/**
 * Returns an entry without the long texts of calls, results and changes. Outcome, session and
 * parents do not need them. Data of reviews stays, as findings are made from it.
 */
export function withoutLongTexts(entry: RunEntry): RunEntry {
  if (entry.type === 'tool.call') return { ...entry, input: null };
  if (entry.type === 'child_run.entry') {
    const { entry: inner } = entry;
    return {
      ...entry,
      entry:
        inner.type === 'tool.call' ? { ...inner, input: null } : { ...inner, content: '', data: undefined },
    };
  }
  if (entry.type === 'change') return { ...entry, change: { ...entry.change, diff: '' } };
  if (entry.type !== 'tool.result') return entry;
  const { data, ...rest } = entry;
  const short = { ...rest, content: '' };
  return entry.tool === 'code_review' && data !== undefined ? { ...short, data } : short;
}
