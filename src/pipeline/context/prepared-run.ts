import type { RunPlan } from '../../contract/plan.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { RunCheck } from '../../reporting/check-run/run-check.ts';
import type { ProgressComment, ReviewPorts } from '../../reporting/posting/ports.ts';
import type { FinishedRun } from '../../run/finish-run.ts';
import type { RunInput } from '../../run/records/run-context.ts';
import type { Checkout } from '../../workspace/git/checkout.ts';

/** The parts of a run that people see during it; each null until it is posted. */
export interface RunDisplay {
  progress: ProgressComment | null;
  check: RunCheck | null;
}

/** A plan that something was opened for, on GitHub or on this machine. */
export interface OpenedPlan {
  readonly plan: RunPlan;
  readonly display: RunDisplay;
  /** Ends all activity for the run, and removes its checkout. */
  release(): Promise<void>;
}

/** A plan that is ready to run. */
export interface PreparedRun extends OpenedPlan {
  readonly kind: 'prepared';
  readonly input: RunInput;
  readonly checkout: Checkout;
  /** The pull request's diff as git shows it; null without a pull request. */
  readonly pullRequestDiff: string | null;
  readonly review: ReviewPorts | null;
  /** The session that continues; null for a new one. */
  readonly session: SavedSession | null;
  /**
   * The run of an earlier attempt that could not publish it; null if the run is still to be made.
   */
  readonly finished: FinishedRun | null;
  /**
   * Returns the plan with the hidden text to report, without hidden text of the repository's
   * templates.
   */
  reportedPlan(): Promise<RunPlan>;
}

/** An error of a stage. */
export interface RunFailure {
  readonly error: unknown;
  /** True if the agent ran when it failed, so that another attempt would pay for it again. */
  readonly running: boolean;
}

/** A plan that could not be prepared. */
export interface UnpreparedRun extends OpenedPlan {
  readonly kind: 'unprepared';
  readonly failure: RunFailure;
}
