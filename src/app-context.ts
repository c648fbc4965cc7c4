import type { Environment } from './config/environment.ts';
import type { StateStore } from './contract/session.ts';
import type { AppTokens } from './github/app-tokens.ts';
import type { ContentBudget } from './github/content-budget.ts';
import type { ReportLinks } from './report-links.ts';
import type { RunsInHand } from './runs-in-hand.ts';
import type { Log } from './webhooks/create-log.ts';

/** What a delivery is handled with. */
export interface AppContext {
  readonly environment: Environment;
  readonly store: StateStore;
  readonly tokens: AppTokens;
  /** `anode-ci[bot]`. */
  readonly ownLogin: string;
  readonly log: Log;
  /** Links to reports of runs; null where `ANODE_PUBLIC_URL` does not say how people reach the App. */
  readonly reportLinks: ReportLinks | null;
  /** What this process works on. */
  readonly runs: RunsInHand;
  /** The writes to GitHub that an installation has left, shared by all that this process does for it. */
  readonly budgetOf: (installation: number) => ContentBudget;
}
