import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readRunLedger } from '../../agent/ledger/read-run-ledger.ts';
import type { ChangeSet } from '../../contract/change.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunLedgerLine } from '../../contract/run-ledger.ts';
import { addUsage } from '../../contract/usage.ts';
import { foldOutcome } from '../../reporting/fold-outcome.ts';
import { renderReport } from '../../reporting/report/render-report.ts';
import { countOf } from '../../reporting/text/markdown.ts';

/** The folder of each attempt at a run, below the folder of all runs of a repository. */
const attemptFolder = /^attempt(?:-(\d+))?$/;

/**
 * Returns the run ledgers that attempts at a run left on this machine, the first attempt first.
 * `runsFolder` holds the folders of attempts.
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

/**
 * Folds the ledger of a run that broke or was killed; null if it had not begun. Its changes are
 * those that its calls made, with their diffs in order.
 */
async function foldBroken(ledgerFile: string): Promise<Outcome | null> {
  const lines = await readRunLedger(ledgerFile).catch((error: NodeJS.ErrnoException) => {
    // An unreadable ledger must not hide the failure itself.
    if (error.code === 'ENOENT' || error instanceof ConfigError) return [];
    throw error;
  });
  if (!lines.some(({ entry }) => entry.type === 'run.started')) return null;
  return foldOutcome(lines, changesOf(lines));
}

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
 * Adds the cost of attempts that ended without a result to the outcome of a later one, and says so.
 */
export async function withEarlierCost(outcome: Outcome, ledgers: readonly string[]): Promise<Outcome> {
  const folded = await Promise.all(ledgers.map(foldBroken));
  const earlier = folded.filter((one) => one !== null);
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
 * Renders the report of a run that broke or was killed, from what its attempts left on the disk:
 * findings, changes as a patch, and cost. Null if no attempt had begun. `message` is a sentence.
 * `finishFailed` posts it, or `closeAbandonedRuns` once the process is gone.
 */
export async function renderBrokenRun(
  ledgers: readonly string[],
  plan: RunPlan,
  { message, runUrl }: { readonly message: string; readonly runUrl: string | null },
): Promise<string | null> {
  const folded = await Promise.all(ledgers.map(foldBroken));
  const last = folded.findLastIndex((one) => one !== null);
  const outcome = folded[last];
  if (outcome === null || outcome === undefined) return null;
  const total = await withEarlierCost(outcome, ledgers.slice(0, last));
  const { patch } = total.changes;
  return renderReport(
    { ...total, conclusion: 'failure', stop: { kind: 'internal_error', message } },
    {
      ...{ plan, runUrl, findings: total.findings, carried: 0 },
      published: { issues: [], downgrades: [], failures: [], patch },
    },
  );
}
