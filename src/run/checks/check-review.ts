import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { collectDiff } from '../../checks/collect-diff.ts';
import { type LinterServices, newEditChecks } from '../../checks/linters/edit-checks.ts';
import { runChecks } from '../../checks/run-checks.ts';
import type { Config } from '../../config/schema.ts';
import type { CheckResult, CheckSettings } from '../../contract/checks.ts';
import type { Preset } from '../../contract/levels.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import { type ReviewRange, reviewRange } from '../../workspace/changes/review-diff.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { decideEditChecks } from '../policy/decide-edit-checks.ts';

/** Inputs for the checks of a review. */
export interface ChecksRun {
  readonly config: Config;
  readonly preset: Preset;
  /** True for a change from a fork. */
  readonly fork: boolean;
  /** The commits to check. Default: null, uncommitted changes or the last commit. */
  readonly range?: ReviewRange | null;
  readonly workspace: Workspace;
  /** Null if no command can run. */
  readonly commands: CommandRunner | null;
  /** A folder of our own, outside the checkout. */
  readonly runFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly record: (entry: RunEntry) => void;
  readonly signal: AbortSignal;
}

/** Runs the checks on the change and records their result. */
export async function checkReview(run: ChecksRun): Promise<CheckResult> {
  const range =
    run.range ??
    (await reviewRange(
      run.workspace.root,
      path.join(run.runFolder, `${randomBytes(4).toString('hex')}.git`),
    ));
  const diff =
    range === null
      ? { files: [], neighbours: new Map(), notes: [] }
      : await collectDiff(range.git, range.from, range.to);
  const settings = run.config.review?.checks ?? {};
  const result = await runChecks({ diff, settings, linters: lintersOf(run, settings) });
  run.record({ type: 'checks', ...result });
  return result;
}

/**
 * Returns the services for linters. Null if they are not to run, a sentence if they cannot. Unlike
 * commands of the model they run in reviews too: only the operator chooses them, and the checkout
 * is mounted read-only. On a fork even their configuration is a stranger's code, so there the
 * operator must allow them.
 */
export function lintersOf(run: ChecksRun, settings: CheckSettings): LinterServices | string | null {
  const setting = typeof settings.linters === 'object' ? settings.linters : {};
  if (run.fork && setting.forks !== true) return null;
  const { commands } = run;
  if (commands === null || !commands.sandboxed) return 'Linters did not run: they need a working sandbox.';
  const { config, preset, environment } = run;
  const decided = decideEditChecks({
    config,
    preset,
    readOnly: false,
    sandboxed: true,
    path: environment.PATH,
  });
  if (!decided.programs) return null;
  const timeoutMs = (setting.timeoutSeconds ?? 60) * 1000;
  const { workspace, signal, record } = run;
  return { workspace, commands, signal, record, editChecks: newEditChecks({ ...decided, timeoutMs }) };
}
