import type { CheckResult } from '../../contract/checks.ts';
import type { ReviewCheck } from './review-check.ts';

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
