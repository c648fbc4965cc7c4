import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readRunLedger } from '../../agent/ledger/read-run-ledger.ts';
import type { ChangeSet } from '../../contract/change.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunLedgerLine } from '../../contract/run-ledger.ts';
import { addUsage } from '../../contract/usage-sums.ts';
import { createRedactor } from '../../redaction/redact.ts';
import { redactValue } from '../../redaction/redact-value.ts';
import { foldOutcome } from '../../reporting/fold-outcome.ts';
import type { RunEnd } from '../../reporting/report/render-end.ts';
import { renderReport } from '../../reporting/report/render-report.ts';
import { countOf } from '../../reporting/text/markdown.ts';
import { excludeSecrets } from '../../run/records/exclude-secrets.ts';

/** The folder of each attempt at a run, below the folder of all runs of a repository. */
const attemptFolder = /^attempt(?:-(\d+))?$/;

/**
 * Returns the ledgers of a run's attempts on this machine, the first attempt first. `runsFolder`
 * contains the folders of attempts.
 */
export async function ledgersOf(runsFolder: string, runId: string): Promise<string[]> {
  const names = await readdir(runsFolder).catch(() => []);
  return names
    .flatMap((name) => {
      const found = attemptFolder.exec(name);
      return found === null ? [] : [{ name, attempt: Number(found[1] ?? 1) }];
    })
    .toSorted((a, b) => a.attempt - b.attempt)
    .map(({ name }) => path.join(runsFolder, name, runId, 'ledger.jsonl'));
}

/** Further remains of a broken run on this machine. */
export interface Leftovers {
  /** The folder that holds the checkouts of attempts. */
  readonly checkoutsFolder: string;
  /** Values that must not leave this machine. */
  readonly secrets: readonly string[];
}

/** The cause of the end; a failure by default. */
type BrokenEnd = Partial<Pick<RunEnd, 'kind'>> & Pick<RunEnd, 'message'>;

/**
 * Reads the ledger of a run that broke or was killed; null if it had not begun. An unreadable one
 * must not hide the failure itself.
 */
async function linesOf(ledgerFile: string): Promise<readonly RunLedgerLine[] | null> {
  const lines = await readRunLedger(ledgerFile).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error instanceof ConfigError) return [];
    throw error;
  });
  return lines.some(({ entry }) => entry.type === 'run.started') ? lines : null;
}

/** The changes that its calls made, with their diffs in order. */
function changesOf(lines: readonly RunLedgerLine[]): ChangeSet {
  const made = lines.flatMap(({ entry }) => (entry.type === 'change' ? [entry.change] : []));
  const unknown = { mode: null, old_mode: null, content: null };
  const files = new Map(
    made.map(({ path: name, kind, old_path, diff }) => [
      name,
      { path: name, kind, old_path, ...unknown, binary: diff === '', diff },
    ]),
  );
  const ended = made.map(({ diff }) => (diff === '' || diff.endsWith('\n') ? diff : `${diff}\n`));
  return { base_sha: '', patch: ended.join(''), files: [...files.values()] };
}

/**
 * Returns the changes of an attempt: what stands in its checkout, or what its calls recorded. The
 * files are read as they are, so nothing in them is redacted yet.
 */
async function leftBy(
  ledgerFile: string,
  lines: readonly RunLedgerLine[],
  { sha, checkoutsFolder, secrets }: Leftovers & { readonly sha: string },
): Promise<{ readonly changes: ChangeSet; readonly notes: readonly string[] }> {
  const runFolder = path.dirname(ledgerFile);
  const attempt = path.basename(path.dirname(runFolder));
  const root = path.join(checkoutsFolder, attempt, path.basename(runFolder), 'tree');
  const { leftoverChanges } = await import('../../workspace/changes/leftover-changes.ts');
  const recorded = { changes: changesOf(lines), notes: [] };
  try {
    const left = await leftoverChanges({ root, runFolder, baseSha: sha });
    if (left === null) return recorded;
    const { changes, notes } = excludeSecrets(left, secrets);
    const note = changes.files.length === 0 ? [] : [unchecked];
    return { changes: redactValue(changes, createRedactor(secrets)), notes: [...notes, ...note] };
  } catch (error) {
    const why = `What its commands left in the files could not be read (${error instanceof Error ? error.message : String(error)}); the patch has what its edits made.`;
    return { ...recorded, notes: [createRedactor(secrets)(why)] };
  }
}

const unchecked =
  'The changes are the files as the run left them, perhaps in the middle of a command. Read them before you apply them.';

/**
 * Adds the cost of attempts that ended without a result to the outcome of a later one, and says so.
 */
export async function withEarlierCost(outcome: Outcome, ledgers: readonly string[]): Promise<Outcome> {
  const all = await Promise.all(ledgers.map(linesOf));
  const earlier = all.flatMap((lines) => (lines === null ? [] : [foldOutcome(lines, changesOf(lines))]));
  if (earlier.length === 0) return outcome;
  const costs = [outcome, ...earlier].map(({ cost_usd }) => cost_usd);
  const turns = earlier.reduce((sum, one) => sum + one.turns, 0);
  const what = countOf(earlier.length, 'earlier attempt');
  const note = `${what} broke off after ${countOf(turns, 'turn')}. Tokens and cost here are of all attempts.`;
  return {
    ...outcome,
    usage: earlier.reduce((sum, one) => addUsage(sum, one.usage), outcome.usage),
    cost_usd: costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost)),
    diagnostics: [...outcome.diagnostics, note],
  };
}

/**
 * Renders the report of a run that broke or was killed, from its attempts' files on the disk:
 * findings, changes as a patch, and cost. Null if no attempt had begun. `message` is a sentence.
 * `finishFailed` posts it, or the App or the end of the job once the process is gone.
 */
export async function renderBrokenRun(
  ledgers: readonly string[],
  plan: RunPlan,
  { kind = 'failed', message, runUrl, ...left }: Leftovers & BrokenEnd & { readonly runUrl: string | null },
): Promise<string | null> {
  const all = await Promise.all(ledgers.map(linesOf));
  const last = all.findLastIndex((one) => one !== null);
  const [lines, ledgerFile] = [all[last], ledgers[last]];
  if (lines === null || lines === undefined || ledgerFile === undefined) return null;
  const { changes, notes } = await leftBy(ledgerFile, lines, { ...left, sha: plan.checkout.sha });
  const outcome = foldOutcome(lines, changes);
  const total = await withEarlierCost(outcome, ledgers.slice(0, last));
  return renderReport(
    {
      ...{ ...total, diagnostics: [...total.diagnostics, ...notes] },
      ...(kind === 'failed'
        ? { conclusion: 'failure', stop: { kind: 'internal_error', message } }
        : { conclusion: 'cancelled', stop: { kind, message } }),
    },
    {
      ...{ plan, runUrl, findings: total.findings, carried: 0 },
      published: { issues: [], downgrades: [], failures: [], patch: changes.patch },
    },
  );
}
