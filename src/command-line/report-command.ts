import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { secretValues } from '../config/secret-values.ts';
import { parseJson } from '../contract/json.ts';
import { Outcome } from '../contract/outcome.ts';
import { makeRunReport, reportFile, writeRunReport } from '../pipeline/finish/write-run-report.ts';
import { createRedactor } from '../redaction/redact.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { unwritable } from './file-errors.ts';
import { findCheckout } from './find-checkout.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { localRunChain } from './local-run-chain.ts';
import { parseArguments, usageError } from './parse-arguments.ts';
import { knownRuns, recordOf } from './run-record.ts';

/**
 * Runs `anode report RUN`: writes an HTML page on a local run and prints its path. Returns the exit
 * code.
 */
export async function reportCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('report', args, {
    cwd: { type: 'string' },
    output: { type: 'string' },
  });
  const [runId, ...others] = positionals;
  const { root } = await findCheckout('report', values.cwd);
  if (runId === undefined || others.length > 0)
    throw usageError('report', `it takes one run. ${await knownRuns(root)}`);
  if (!/^[\w-]+$/.test(runId)) throw usageError('report', `"${runId}" is not the id of a run.`);
  const folder = recordOf(runId, root);
  if (folder === null)
    throw usageError('report', `there is no record of ${runId} for ${root}. ${await knownRuns(root)}`);
  const { providers } = await localConfig(undefined, context.environment);
  const beside = path.join(root, harnessFolder, runId);
  const run = {
    ledgerFile: path.join(folder, 'ledger.jsonl'),
    outcome: await outcomeIn(beside, runId),
    plan: null,
    published: null,
    runUrl: null,
    chain: await localRunChain(runId, root),
    redact: createRedactor(secretValues(context.environment, providers)),
  };
  if (values.output === '-') {
    context.write(await makeRunReport(run));
    return 0;
  }
  const named = typeof values.output === 'string' ? path.resolve(values.output) : null;
  const target = named ?? path.join(existsSync(beside) ? beside : folder, reportFile);
  try {
    await writeRunReport({ ...run, target });
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unwritable(target, error) : error;
  }
  context.write(`${target}\n`);
  return 0;
}

/**
 * Reads the outcome beside the record in the checkout; without it the report uses the record alone.
 */
async function outcomeIn(folder: string, runId: string): Promise<Outcome | null> {
  const text = await readFile(path.join(folder, 'outcome.json'), 'utf8').catch(() => null);
  const outcome = Outcome.safeParse(text === null ? null : parseJson(text));
  return outcome.success && outcome.data.run_id === runId ? outcome.data : null;
}
