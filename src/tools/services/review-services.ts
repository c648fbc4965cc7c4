import type { CheckResult } from '../../contract/checks.ts';
import type { Severity } from '../../contract/findings.ts';

/** One thing that a reviewer is to look for, as a Markdown file of the base branch describes it. */
export interface ReviewCheck {
  readonly name: string;
  readonly description: string;
  /** What its findings weigh where the reviewer does not know better; null for no word on it. */
  readonly severity: Severity | null;
  /** The tools that the reviewer may use for it, besides reporting; null for all. */
  readonly tools: readonly string[] | null;
  readonly instructions: string;
}

/** What a review of a run's own change can be made of, besides a reviewer. */
export interface ReviewServices {
  /** The checks that the base branch describes, and what is wrong with those that cannot be used, a sentence each. */
  readonly described: () => Promise<{
    readonly checks: readonly ReviewCheck[];
    readonly problems: readonly string[];
  }>;
  /** What is found without a model in what the run changed so far, else in what it was given to look at. */
  readonly withoutModel: () => Promise<CheckResult>;
}

/** Of a run that has nothing of the kind. */
export const noReviewServices: ReviewServices = {
  described: async () => ({ checks: [], problems: [] }),
  withoutModel: async () => ({ ran: [], findings: [], notes: [] }),
};
