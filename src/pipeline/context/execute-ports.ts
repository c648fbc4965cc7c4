import type { Logger } from 'pino';
import type { Config } from '../../config/schema.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import type { TokenSource } from '../../github/create-octokit.ts';
import type { RunCheckPorts } from '../../reporting/check-run/run-check.ts';
import type { ReportLinks } from './report-links.ts';

/** What a run may show on its commit: tokens for a check run, or for a commit status only; null for neither. */
export type CheckRight = { readonly kind: RunCheckPorts['kind']; readonly token: TokenSource } | null;

/** What carrying out a plan needs from the root that owns credentials, folders and state. */
export interface ExecutePorts {
  readonly apiUrl: string;
  /** Tokens for the plan's repository alone: one that reads, one that may write. */
  readonly readToken: TokenSource;
  readonly writeToken: TokenSource;
  /** One that may give results to code scanning; left out, nothing is uploaded there. */
  readonly scanToken?: TokenSource;
  /** The installation that covers the repository; left out, there is none. Rejects with 404 where it is gone. */
  readonly installation?: () => Promise<{ readonly suspended: boolean }>;
  /** What a run may show on its commit; left out, the writing token is tried where the configuration says so. */
  readonly checkRight?: () => Promise<CheckRight>;
  /** Where what a review found is written as SARIF; left out or null, nowhere. */
  readonly sarifFile?: string | null;
  /** The state of the plan's repository. */
  readonly store: StateStore;
  /** That repository, as its results of set-ups are kept for. */
  readonly tenant: string;
  /** Where all repositories' state lies: no folder of it may be given to a run. */
  readonly ownFolder: string;
  /** The writes to GitHub that all runs of the installation, or of the process, share. */
  readonly budget: ContentBudget;
  readonly log: Logger;
  /** Our own account: `anode-ci[bot]`. */
  readonly ownLogin: string;
  /** Where the log of the run can be seen, if anywhere. */
  readonly runUrl: string | null;
  /** The App's own links to reports of runs, where people can reach it. */
  readonly reportLinks?: ReportLinks | null;
  readonly runsFolder: string;
  readonly checkoutsFolder: string;
  readonly mirrorsFolder: string;
  /** Where results of set-ups are kept. */
  readonly setupFolder: string;
  /** Where relative paths of `workspace.repos` start; left out, the checkout. */
  readonly repositoriesFrom?: string;
  /** The operator's own configuration, weaker than the repository's; endpoints and keys come from here alone. */
  readonly operatorConfig: Config;
  /** What workflow inputs set, stronger than any file. */
  readonly overrides: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly canAsk: boolean;
  /** True when no other attempt follows, so that whatever goes wrong has to be told now. */
  readonly lastAttempt: boolean;
  /** True when another follows all the same where this one ends because GitHub is down; left out, none does. */
  readonly triedWhileDown?: boolean;
  /** Where nobody calls again: how long to wait, in milliseconds, before each further try while GitHub is down. */
  readonly waitsWhileDown?: readonly number[];
  readonly signal: AbortSignal;
}
