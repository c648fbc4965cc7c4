import type { Environment } from '../../config/environment.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { AppTokens, TokenPurpose } from '../../github/app-tokens.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import type { TokenSource } from '../../github/create-octokit.ts';
import type { ActiveRuns } from '../../pipeline/context/active-runs.ts';
import type { ReportLinks } from '../../pipeline/context/report-links.ts';
import type { Log } from '../../webhooks/create-log.ts';

/** What one delivery is handled with: nothing in it reaches another repository's tokens, nor the App's private key. */
export interface DeliveryContext<Run = RunPlan> {
  readonly environment: Pick<Environment, 'apiUrl' | 'serverUrl' | 'dataDirectory' | 'sandbox'>;
  /** The state of the delivery's repository. */
  readonly store: StateStore;
  /** That repository, as it names folders. */
  readonly tenant: string;
  /** Tokens for the repository of the delivery. An attempt that was superseded is refused each that could write. */
  readonly tokenFor: (purpose: TokenPurpose) => TokenSource;
  /** What the installation that covers the repository was granted and is told of. */
  readonly grants: () => ReturnType<AppTokens['grantsOf']>;
  /** The writes to GitHub that the installation has left. */
  readonly budget: ContentBudget;
  /** `anode-ci[bot]`. */
  readonly ownLogin: string;
  readonly log: Log;
  /** Links to reports of runs; null where `ANODE_PUBLIC_URL` does not say how people reach the App. */
  readonly reportLinks: ReportLinks | null;
  /** What is worked on, on the thread of the delivery, by all processes of this App. */
  readonly runs: ActiveRuns<Run>;
}
