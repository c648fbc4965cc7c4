import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import type { RunEntry, RunLedgerLine } from '../../contract/run-ledger.ts';
import { redactMessage, redactValue } from '../../redaction/redact-value.ts';
import { appendBehind } from './append-behind.ts';

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

/** Standard size limit of a ledger and of a trace, each in bytes. */
export const mostLedgerBytes = 100_000_000;

interface LedgerOptions {
  readonly now: () => Date;
  /** Applied to all text of an entry, but not to images, before it is stored anywhere. */
  readonly redact: (text: string) => string;
  /**
   * Called with each entry, also of the conversation, and its line in the file: null for an entry
   * beyond the size limit. Default: nothing.
   */
  readonly onEntry?: (entry: RunEntry, line: RunLedgerLine | null) => void;
  /** Maximum bytes of the file. Default: `mostLedgerBytes`. */
  readonly mostBytes?: number | undefined;
}

/**
 * Opens a new ledger file, JSON Lines, one `RunLedgerLine` a line. `record` never blocks: lines are
 * buffered and written in order behind the run. Each line names the hash of the line before.
 *
 * An entry that would exceed the size limit is replaced by one `cut` entry. From then on the file
 * gets only short entries, up to a tenth more, and the end of the run. Memory gets all.
 */
export function openRunLedger(ledgerFile: string, options: LedgerOptions): RunLedger {
  const { now, mostBytes = mostLedgerBytes } = options;
  const lines: RunLedgerLine[] = [];
  const file = appendBehind(
    mkdir(path.dirname(ledgerFile), { recursive: true, mode: 0o700 }).then(() =>
      open(ledgerFile, 'ax', 0o600),
    ),
    { sync: true },
  );
  let last: RunEntry | null = null;
  let count = 0;
  let bytes = 0;
  let isCut = false;
  let head: string | null = null;
  /** Puts an entry into the file; null if there is no room for it. */
  const append = (entry: RunEntry, most: number) => {
    const line: RunLedgerLine = { v: 1, seq: count + 1, at: now().toISOString(), prev: head, entry };
    const text = JSON.stringify(line);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > most) return null;
    count += 1;
    bytes += size;
    head = lineHash(text);
    file.add(`${text}\n`);
    return { line, isLong: text.length > shortLine };
  };
  /** Appends an entry within the size limit. */
  const appendBounded = (entry: RunEntry) => {
    const written = isCut ? null : append(entry, mostBytes);
    if (written !== null) return written;
    if (!isCut) {
      isCut = true;
      const cut: RunEntry = { type: 'cut', limit_bytes: mostBytes, message: cutMessage(mostBytes) };
      const end = append(cut, Infinity);
      if (end !== null) lines.push(end.line);
    }
    const short = withoutLongTexts(entry);
    if (entry.type === 'run.finished') return append(short, Infinity);
    return entriesAfterCut.includes(entry.type) ? append(short, mostBytes * 1.1) : null;
  };

  return {
    lines,
    get last() {
      return last;
    },
    record(entry) {
      const clean = redactEntry(entry, options.redact);
      last = clean;
      const written = appendBounded(clean);
      options.onEntry?.(clean, written?.line ?? null);
      const stored = written?.isLong === false ? written.line.entry : withoutLongTexts(clean);
      if (stored.type === 'message') return;
      const line = written?.line ?? { v: 1, seq: count, at: now().toISOString(), prev: head };
      lines.push({ ...line, entry: stored });
    },
    flush: file.flush,
    async close() {
      await file.close();
      return { entries: count, sha256: head };
    },
  };
}

/** Maximum characters of a line whose entry stays complete in memory. */
const shortLine = 1_000;

/** Entries that the file gets after the cut: for `anode restore`, and for the counts of the run. */
const entriesAfterCut: readonly RunEntry['type'][] = ['turn.started', 'usage', 'change', 'limit'];

function cutMessage(mostBytes: number): string {
  const limit = `${(mostBytes / 1_000_000).toLocaleString('en')} MB (records.ledgerMegabytes)`;
  return `The record of this run was cut: its ledger reached ${limit}. The run went on without it.`;
}

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
  if (entry.type === 'validation') return { ...entry, output: '' };
  if (entry.type !== 'tool.result') return entry;
  const { data, ...rest } = entry;
  const short = { ...rest, content: '' };
  return entry.tool === 'code_review' && data !== undefined ? { ...short, data } : short;
}
