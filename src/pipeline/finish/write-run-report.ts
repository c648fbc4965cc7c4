import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRunLedger, streamRunLedger } from '../../agent/ledger/read-run-ledger.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunLedgerLine } from '../../contract/run-ledger.ts';
import { redactValue } from '../../redaction/redact-value.ts';
import { foldOutcome } from '../../reporting/fold-outcome.ts';
import { createStoryFold } from '../../reporting/html/fold-story.ts';
import type { RunChain } from '../../reporting/html/page-context.ts';
import { renderRunReport } from '../../reporting/html/render-run-report.ts';
import type { Published } from '../../reporting/report/published.ts';

/** The sources of a report, and its target. */
export interface RunReportRequest {
  readonly ledgerFile: string;
  /** Null for a run that broke: the outcome is then made from the ledger. */
  readonly outcome: Outcome | null;
  readonly plan: RunPlan | null;
  readonly published: Omit<Published, 'report'> | null;
  readonly runUrl: string | null;
  readonly redact: (text: string) => string;
  /** The other runs of its session. Default: unknown. */
  readonly chain?: RunChain;
  /** The file to write, replaced atomically; only its owner may read it. */
  readonly target: string;
}

/** The name of the report in the folder of its run. */
export const reportFile = 'report.html';

/**
 * Writes the report of a run as one HTML page. The ledger is redacted already; everything else is
 * redacted here.
 */
export async function writeRunReport(request: RunReportRequest): Promise<void> {
  const page = await makeRunReport(request);
  const { target } = request;
  await makeFolder(target);
  const fresh = path.join(path.dirname(target), `.${randomUUID()}.html`);
  try {
    await writeFile(fresh, page, { mode: 0o600, flag: 'wx' });
    await rename(fresh, target);
  } finally {
    await rm(fresh, { force: true });
  }
}

/**
 * Makes the folder of a file, but none above it. Throws `ConfigError` if the parent is missing, or
 * if the target is a folder or device.
 */
async function makeFolder(target: string): Promise<void> {
  const folder = path.dirname(target);
  const details = { file: target };
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new ConfigError(
        `The report cannot be written: the folder above ${folder} does not exist.`,
        details,
      );
    if (error.code !== 'EEXIST') throw error;
  });
  const stats = await lstat(target).catch(() => null);
  if (stats !== null && !stats.isFile() && !stats.isSymbolicLink())
    throw new ConfigError(`The report cannot be written: ${target} is a folder or a device.`, details);
}

/** Returns the page. Throws `ConfigError` if the ledger cannot be read or has no run. */
export async function makeRunReport(request: Omit<RunReportRequest, 'target'>): Promise<string> {
  const { ledgerFile, runUrl, redact } = request;
  const fold = createStoryFold();
  for await (const line of streamRunLedger(ledgerFile)) fold.add(line);
  const outcome = request.outcome ?? (await countOutcome(ledgerFile));
  return renderRunReport({
    story: fold.story(),
    outcome: redactValue(withoutContents(outcome), redact),
    plan: request.plan === null ? null : redactValue(planOf(request.plan), redact),
    published: request.published === null ? null : redactValue(request.published, redact),
    runUrl,
    ...(request.chain === undefined ? {} : { chain: redactValue(request.chain, redact) }),
  });
}

async function countOutcome(ledgerFile: string): Promise<Outcome> {
  const lines = await readRunLedger(ledgerFile);
  if (!hasBegun(lines))
    throw new ConfigError(
      `${ledgerFile} has no run to report: it is of a call by hand, or of a run that broke before it began.`,
      { file: ledgerFile },
    );
  return foldOutcome(lines, noChanges);
}

/** Returns true if a run began that the lines are of. */
const hasBegun = (lines: readonly RunLedgerLine[]): boolean =>
  lines.some(({ entry }) => entry.type === 'run.started');

/** Returns true if a ledger has a run to report. */
export const isReportable = async (ledgerFile: string): Promise<boolean> =>
  hasBegun(await readRunLedger(ledgerFile));

const noChanges: Outcome['changes'] = { base_sha: '', patch: '', files: [] };

/** Drops the file contents, which the page does not have, so that they need no redaction. */
function withoutContents(outcome: Outcome): Outcome {
  const files = outcome.changes.files.map((file) => ({ ...file, content: null }));
  return { ...outcome, changes: { ...outcome.changes, patch: '', files } };
}

function planOf(plan: RunPlan): RunPlan {
  return { ...plan, thread_context: '', attachments: [], config_text: null };
}
