import type { Outcome } from '../../contract/outcome.ts';
import type { Published } from '../../reporting/report/published.ts';

/** What carrying out a plan came to. */
export interface ExecutedPlan {
  readonly kind: 'run';
  readonly outcome: Outcome;
  readonly published: Published;
  /** The run ledger, on this machine. */
  readonly ledgerFile: string;
  /** The run as one page of HTML, on this machine; null where it could not be written. */
  readonly reportFile: string | null;
  /** The findings of a review as SARIF, on this machine; null for other runs and where none was asked for. */
  readonly sarifFile: string | null;
}

/** A plan with nothing to do: no word of it stands on GitHub. */
export interface QuietPlan {
  readonly kind: 'quiet';
  /** A sentence for the log. */
  readonly reason: string;
}

/** A plan that could not be carried out; whoever asked was told, and another try would only repeat it. */
export interface BrokenPlan {
  readonly kind: 'broken';
  readonly error: unknown;
}
