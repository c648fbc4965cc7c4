import type { Environment } from '../../config/environment.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import type { Lease, StateRoot } from '../../contract/state-store.ts';
import type { AppTokens } from '../../github/app-tokens.ts';
import type { ContentBudget } from '../../github/content-budget.ts';
import type { OwnRuns } from '../../pipeline/context/active-runs.ts';
import type { ReportLinks } from '../../pipeline/context/report-links.ts';
import type { Log } from '../../webhooks/create-log.ts';
import type { LeasedAttempt } from '../../webhooks/deliveries/queue.ts';
import type { HeldRun } from './delivery-methods.ts';

/** Holds the state, tokens and settings of the App's front process. */
export interface AppContext {
  readonly environment: Environment;
  /** The state of all repositories. */
  readonly state: StateRoot;
  /** The same for an attempt that has to hold its lease, and whether it still does. */
  readonly leased: (lease: Lease) => { readonly state: StateRoot; readonly holds: () => Promise<boolean> };
  readonly tokens: AppTokens;
  /** `anode-ci[bot]`. */
  readonly ownLogin: string;
  readonly log: Log;
  /** Links to reports of runs; null where `ANODE_PUBLIC_URL` does not say how people reach the App. */
  readonly reportLinks: ReportLinks | null;
  /** The key that these are signed with. */
  readonly reportSecret: string;
  /** Runs that any process of this App works on. */
  readonly runs: OwnRuns<HeldRun>;
  /** The writes to GitHub that an installation has left, shared by all that this App does for it. */
  readonly budgetOf: (installation: number) => ContentBudget;
  /** To be called when a delivery was worked on, however that ended. */
  readonly afterDelivery: () => Promise<void>;
}

/** Who works on deliveries for the front process. Rejects where an attempt failed. */
export interface DeliveryHands {
  /** Does the work of one delivery, in the background: decide, run, publish. Called again when it rejects. */
  handle(event: IncomingEvent, attempt: LeasedAttempt, context: AppContext): Promise<void>;
  /** Does what cannot wait until it is the delivery's turn on its thread. */
  actAtOnce(event: IncomingEvent, context: AppContext): Promise<void>;
  /** Ends what works, which nobody waits for any more. */
  close(): Promise<void>;
}
