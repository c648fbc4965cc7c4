import type { CheckResult, Severity } from '../../contract/findings.ts';

/** One check of a reviewer, as a Markdown file of the base branch describes it. */
export interface ReviewCheck {
  readonly name: string;
  readonly description: string;
  /** Default severity of its findings; null for none. */
  readonly severity: Severity | null;
  /** Tools that the reviewer may use for it, besides reporting; null for all. */
  readonly tools: readonly string[] | null;
  readonly instructions: string;
}

/** The parts of a review of a run's own change, besides a reviewer. */
export interface ReviewServices {
  /** Returns the checks that the base branch describes, and a sentence for each unusable one. */
  readonly described: () => Promise<{
    readonly checks: readonly ReviewCheck[];
    readonly problems: readonly string[];
  }>;
  /** Returns findings without a model in the run's changes, else in its material. */
  readonly withoutModel: () => Promise<CheckResult>;
}

/** Used by a run without any. */
export const noReviewServices: ReviewServices = {
  described: async () => ({ checks: [], problems: [] }),
  withoutModel: async () => ({ ran: [], findings: [], notes: [] }),
};
