import type { Finding, ToldFinding } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { PublishedTriage } from '../thread/publish-triage.ts';

/** Everything the publisher put on GitHub for one run, and what it could not. */
export interface Published {
  readonly commit?:
    | {
        readonly sha: string;
        readonly url: string;
        readonly branch: string;
        /** Its attestation, a signed envelope as JSON. Default: none. */
        readonly attestation?: string | undefined;
      }
    | undefined;
  readonly pull_request?: { readonly number: number; readonly url: string } | undefined;
  readonly review?: { readonly id: number; readonly url: string; readonly comments: number } | undefined;
  readonly question?: { readonly id: number; readonly url: string } | undefined;
  /** The comment that asks for approval. */
  readonly approval?: { readonly id: number; readonly url: string } | undefined;
  /** The comment with what a run planned. */
  readonly plan?: { readonly id: number; readonly url: string } | undefined;
  /** Handoffs; `started` where a run was started on one, `follow` where a reader is sent there. */
  readonly issues: readonly {
    readonly number: number;
    readonly url: string;
    readonly title: string;
    readonly started?: boolean | undefined;
    readonly follow?: boolean | undefined;
  }[];
  /** Markdown of handoffs that got no issue. */
  readonly handoffs?: readonly string[] | undefined;
  /** The issue that holds changes which found no other place. */
  readonly changes_issue?: { readonly number: number; readonly url: string } | undefined;
  /** The answer in the review thread that the run was requested in. */
  readonly answered?: { readonly url: string } | undefined;
  /** True where the run wrote its part of the pull request's description. */
  readonly described?: boolean | undefined;
  /** The labels that a triage set, and duplicate threads. */
  readonly triage?: PublishedTriage | undefined;
  /** All that is known of the findings of a reviewed pull request. */
  readonly told?: readonly ToldFinding[] | undefined;
  /** The summary comment of the pull request. */
  readonly summary?: { readonly id: number; readonly url: string } | undefined;
  /** The comment that holds the report. */
  readonly comment?: { readonly id: number; readonly url: string } | undefined;
  /** A sentence for each weaker outlet that was taken, with the reason. */
  readonly downgrades: readonly string[];
  /**
   * Why the changes of the run are no commit, as a sentence: requester or pull request changed
   * before it was published. It is one of `downgrades`.
   */
  readonly withheld?: string | undefined;
  /** Why the changes are no commit, as a sentence. It is one of `downgrades`. */
  readonly uncommitted?: string | undefined;
  /** True if another job publishes the changes. Default: false. */
  readonly handedOn?: boolean | undefined;
  /** A sentence for each thing that could not be posted at all. */
  readonly failures: readonly string[];
  /** The failure that our own defect caused, if any. */
  readonly defect?: string | undefined;
  /** Changes that are in no commit, suggestion or issue, as git's patch; '' if none. */
  readonly patch: string;
  /** The report as it was (or would have been) posted. */
  readonly report: string;
}

/** The context of a report besides the outcome. */
export interface ReportContext {
  readonly plan: RunPlan;
  readonly runUrl: string | null;
  readonly published: Omit<Published, 'report'>;
  /** Findings that no review carries, so that the report must. */
  readonly findings: readonly Finding[];
  /** Number of this run's findings that an earlier review reported. */
  readonly carried: number;
  /** Counts of a review: `2 new, 1 carried, 3 fixed`. Default: '', as for a first review. */
  readonly tally?: string;
  /** The word of commands, such as `anode`. Default: none is named. */
  readonly mention?: string;
}
