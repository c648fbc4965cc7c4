import type { Outcome } from '../../contract/outcome.ts';
import type { Published } from '../../reporting/report/published.ts';

/** A run that came to its end. */
export interface DoneRun {
  readonly kind: 'run';
  readonly outcome: Outcome;
  readonly published: Published;
  /** The run ledger, on this machine. */
  readonly ledgerFile: string;
  /** The run as one page of HTML, on this machine; null if it could not be written. */
  readonly reportFile: string | null;
  /** The attestation of the commit, on this machine; null without one. */
  readonly attestationFile: string | null;
  /**
   * The findings of a review as SARIF, on this machine; null for other runs, and if none was
   * requested.
   */
  readonly sarifFile: string | null;
  /** Why open findings fail a workflow's step (`review.failOn`); null if they do not. */
  readonly failure: string | null;
}

/** A plan with nothing to do and nothing on GitHub. */
export interface SkippedRun {
  readonly kind: 'skipped';
  /** A sentence for the log. */
  readonly reason: string;
  /** Why findings that are still open fail a workflow's step; omitted if they do not. */
  readonly failure?: string | null;
}

/**
 * A plan that could not be executed. The thread has the reason, and another try would only repeat
 * it.
 */
export interface FailedRun {
  readonly kind: 'failed';
  readonly error: unknown;
}

export type RunResult = DoneRun | SkippedRun | FailedRun;
