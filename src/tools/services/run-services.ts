import type { CheckResult } from '../../contract/checks.ts';
import type { Severity } from '../../contract/findings.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { SyntaxAnswer, SyntaxRequest } from '../code/grammars/syntax-symbol.ts';

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

/** The store of a repository's tasks, one value per task. */
export interface TaskHome {
  /** In memory for a run without trust beyond itself. */
  readonly store: StateStore;
  /** Default `repoURL` of a task. */
  readonly repositoryUrl: string;
  readonly now: () => Date;
}

/** Reason a file was not parsed: too slow, or a parser crash. */
export type ParseFailure = 'slow' | 'broken';

/** The parser of a run: a process of its own, started on first use, running until `close`. */
export interface SyntaxParser {
  /**
   * Returns the names of one text. Null if this machine has no parser. An abort rejects with the
   * signal's reason and ends the process.
   */
  analyse(request: SyntaxRequest, signal: AbortSignal): Promise<SyntaxAnswer | ParseFailure | null>;
  /** Ends the process and waits for its end. */
  close(): Promise<void>;
}
