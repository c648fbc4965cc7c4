import { readFile } from 'node:fs/promises';
import { ConfigError } from '../contract/errors.ts';
import { parseJson } from '../contract/json.ts';
import { RunLedgerLine } from '../contract/run-ledger.ts';

/**
 * Reads a run ledger file back. A last line cut off by a crash is left out; any other line that does not fit
 * the format is a `ConfigError` naming file and line, since what follows it could not be trusted.
 */
export async function readRunLedger(file: string): Promise<RunLedgerLine[]> {
  const rows = (await readFile(file, 'utf8')).split('\n');
  const last = rows.pop();
  const lines = rows.map((row, index) => {
    const parsed = RunLedgerLine.safeParse(parseJson(row));
    if (!parsed.success) {
      throw new ConfigError(`${file}, line ${index + 1}: not an entry of a run ledger.`, { file });
    }
    return parsed.data;
  });
  const complete = RunLedgerLine.safeParse(parseJson(last ?? ''));
  return complete.success ? [...lines, complete.data] : lines;
}
