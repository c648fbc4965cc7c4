import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { streamRunLedger } from '../agent/ledger/read-run-ledger.ts';
import { secretValues } from '../config/secret-values.ts';
import { parseJson } from '../contract/json.ts';
import { Outcome } from '../contract/outcome.ts';
import type { RunEntry } from '../contract/run-ledger.ts';
import { makeRunReport, reportFile, writeRunReport } from '../pipeline/finish/write-run-report.ts';
import { createRedactor } from '../redaction/redact.ts';
import type { RunChain } from '../reporting/html/page-context.ts';
import { harnessFolder } from '../workspace/files/confine-path.ts';
import { findCheckout } from './find-checkout.ts';
import { localConfig } from './local-config.ts';
import type { CommandContext } from './local-run.ts';
import { parseArguments, usageError } from './parse-arguments.ts';
import { knownRuns, recordOf } from './run-record.ts';
import { unwritable } from './user-files.ts';

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

type Started = Extract<RunEntry, { type: 'run.started' }>;

/** Limits: runs of one checkout inspected, and runs of one session followed back. */
const mostLooked = 200;
const mostFollowed = 50;

/**
 * Returns the runs of a local run's session from the records of the checkout; unreadable ones are
 * skipped.
 */
async function localRunChain(runId: string, root: string): Promise<RunChain> {
  const own = await startOf(runId, root);
  const earlier = own?.after ?? null;
  let first = own;
  for (let step = 0; step < mostFollowed && first?.after !== undefined; step += 1)
    first = await startOf(first.after.run_id, root);
  return {
    request: first?.prompt ?? null,
    earlier,
    later: await laterOf(runId, root),
  };
}

async function laterOf(runId: string, root: string): Promise<RunChain['later']> {
  const names = await readdir(path.join(root, harnessFolder)).catch(() => []);
  const runs = names.filter((name) => name.startsWith('run_') && name > runId).sort();
  for (const name of runs.slice(0, mostLooked)) {
    const started = await startOf(name, root);
    if (started?.after?.run_id === runId) return { run_id: name, text: started.prompt };
  }
  return null;
}

/** Reads the start of a run from its record; null without one. */
async function startOf(runId: string, root: string): Promise<Started | null> {
  const folder = /^[\w-]+$/.test(runId) ? recordOf(runId, root) : null;
  if (folder === null) return null;
  try {
    for await (const { entry } of streamRunLedger(path.join(folder, 'ledger.jsonl')))
      if (entry.type === 'run.started') return entry;
  } catch {
    // A broken ledger does not affect the others.
  }
  return null;
}
