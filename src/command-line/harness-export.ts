import path from 'node:path';
import { readRunLedger } from '../agent/ledger/read-run-ledger.ts';
import type { RunLedgerLine } from '../contract/run-ledger.ts';
import { exportSpans } from '../evidence/export-spans.ts';
import { exportTrajectory } from '../evidence/export-trajectory.ts';
import type { HarnessRequest } from './harness-request.ts';
import { usageError } from './parse-arguments.ts';

const formats: Readonly<Record<string, (lines: readonly RunLedgerLine[]) => Promise<object>>> = {
  atif: exportTrajectory,
  otlp: exportSpans,
};

/** Runs `anode harness export RUN --format FORMAT`: prints the run as JSON for other tools. */
export async function printExport({ values, context }: HarnessRequest, folder: string): Promise<number> {
  const names = Object.keys(formats).join(' or ');
  const format = formats[String(values.format)];
  if (format === undefined) throw usageError('harness', `export takes --format ${names}.`);
  const exported = await format(await readRunLedger(path.join(folder, 'ledger.jsonl')));
  context.write(`${JSON.stringify(exported, null, 2)}\n`);
  return 0;
}
