import type { Logger } from 'pino';
import type { Environment } from '../../config/environment.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import type { Lease, StateRoot } from '../../contract/state-store.ts';
import type { AppTokens } from '../../github/app-tokens.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import type { OwnRuns } from '../../pipeline/context/active-runs.ts';
import type { ReportLinks } from '../../pipeline/context/report-links.ts';
import type { LeasedAttempt } from '../../webhooks/deliveries/queue.ts';
import type { ActiveRun } from './delivery-methods.ts';

/** State, tokens and settings of the App's front process. */
export interface AppContext {
  readonly environment: Environment;
  /** The state of all repositories. */
  readonly state: StateRoot;
  /** Opens the state of an attempt that must hold its lease, and checks the lease. */
  readonly leased: (lease: Lease) => { readonly state: StateRoot; readonly holds: () => Promise<boolean> };
  readonly tokens: AppTokens;
  /** `anode-ci[bot]`. */
  readonly ownLogin: string;
  readonly log: Logger;
  /** Links to run reports; null without `ANODE_PUBLIC_URL`. */
  readonly reportLinks: ReportLinks | null;
  /** The key that signs those links. */
  readonly reportSecret: string;
  /** Active runs of all processes of this App. */
  readonly runs: OwnRuns<ActiveRun>;
  /** Write budget of an installation, shared by everything that this App does for it. */
  readonly budgetOf: (installation: number) => ContentBudget;
  /** Called after each delivery, whatever its result. */
  readonly afterDelivery: () => Promise<void>;
}

/** Works on deliveries for the front process. Rejects if an attempt fails. */
export interface DeliveryExecutor {
  /** Decides, runs and publishes one delivery in the background. Called again after a rejection. */
  handle(event: IncomingEvent, attempt: LeasedAttempt, context: AppContext): Promise<void>;
  /** Does the part of a delivery that cannot wait for its turn on the thread. */
  actAtOnce(event: IncomingEvent, context: AppContext): Promise<void>;
  /** Ends all work without waiting for it. */
  close(): Promise<void>;
}
