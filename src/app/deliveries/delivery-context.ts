import type { Logger } from 'pino';
import type { Environment } from '../../config/environment.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { AppTokens, TokenPurpose } from '../../github/app-tokens.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import type { TokenSource } from '../../github/create-octokit.ts';
import type { ActiveRuns } from '../../pipeline/context/active-runs.ts';
import type { ReportLinks } from '../../pipeline/context/report-links.ts';

/**
 * Context of one delivery. It reaches no other repository's tokens and not the App's private key.
 */
export interface DeliveryContext<Run = RunPlan> {
  readonly environment: Pick<Environment, 'apiUrl' | 'serverUrl' | 'dataDirectory' | 'sandbox'>;
  /** State of the delivery's repository. */
  readonly store: StateStore;
  /** The repository's name in folders. */
  readonly tenant: string;
  /** Tokens for the delivery's repository. A superseded attempt gets none that can write. */
  readonly tokenFor: (purpose: TokenPurpose) => TokenSource;
  /** Permissions and events of the repository's installation. */
  readonly grants: () => ReturnType<AppTokens['grantsOf']>;
  /** Write budget of the installation. */
  readonly budget: ContentBudget;
  /** `anode-ci[bot]`. */
  readonly ownLogin: string;
  readonly log: Logger;
  /** Links to run reports; null without `ANODE_PUBLIC_URL`. */
  readonly reportLinks: ReportLinks | null;
  /** Active runs on the delivery's thread, in all processes of this App. */
  readonly runs: ActiveRuns<Run>;
}
