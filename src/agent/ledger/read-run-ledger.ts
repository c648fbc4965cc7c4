import { createReadStream } from 'node:fs';
import { ConfigError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import { RunLedgerLine } from '../../contract/run-ledger.ts';

/**
 * Reads a run ledger file. A last line cut off by a crash is omitted. Throws `ConfigError` with
 * file and line for any other line of a wrong format, as what follows could not be trusted.
 */
export async function readRunLedger(file: string): Promise<RunLedgerLine[]> {
  const lines: RunLedgerLine[] = [];
  for await (const line of streamRunLedger(file)) lines.push(line);
  return lines;
}

/** Reads a ledger line by line, with only one line in memory. */
export async function* streamRunLedger(file: string): AsyncGenerator<RunLedgerLine> {
  let number = 0;
  for await (const { text, ended } of ledgerRows(file)) {
    number += 1;
    const parsed = RunLedgerLine.safeParse(parseJson(text));
    if (parsed.success) yield parsed.data;
    else if (ended) throw new ConfigError(`${file}, line ${number}: not an entry of a run ledger.`, { file });
  }
}

/**
 * Reads the rows of a ledger file as text; `ended` is false for a last row that a crash cut off. A
 * reader of lines would also split at separators of Unicode.
 */
export async function* ledgerRows(
  file: string,
): AsyncGenerator<{ readonly text: string; readonly ended: boolean }> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield { text: Buffer.concat([...parts, chunk.subarray(from, end)]).toString(), ended: true };
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length > 0) yield { text: Buffer.concat(parts).toString(), ended: false };
}
