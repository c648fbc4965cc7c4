import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { ToldFinding } from '../../contract/findings.ts';
import type { PreviousFinding, Reviewed } from '../../contract/review-record.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { Rebased } from '../../workspace/changes/rebase-changes.ts';

/** A commit that GitHub's API cannot make. */
interface CommitTarget {
  readonly branch: string;
  readonly expectedSha: string;
  /** Headline, empty line, body with trailers. */
  readonly message: string;
  /** The change, as git's patch against `expectedSha`. */
  readonly patch: string;
}

/** Commits a patch on top of `expectedSha` by git push, never by force; `moved` when it may not. */
export type PushCommit = (target: CommitTarget) => Promise<{ readonly sha: string } | 'moved'>;

/** The attestation of a commit that is about to be made. */
export interface Attestation {
  /** The last line of the commit's message, which names the statement by its hash. */
  readonly trailer: string;
  /** Signs the statement. */
  readonly sign: () => ReturnType<SignStatement>;
}

/**
 * Signs a statement. Returns the signed envelope or bundle as JSON, or a sentence on why there is
 * none.
 */
export type SignStatement = (
  statement: string,
) => Promise<{ readonly text: string } | { readonly unattested: string }>;

/** Attests a patch on top of `onto`. Null if the patch does not fit there. */
export type AttestChange = (change: {
  readonly onto: string;
  readonly patch: string;
}) => Promise<Attestation | null>;

/** Puts a patch on the head that a branch has now. Throws where that head cannot be had. */
export type Rebase = (order: {
  readonly branch: string;
  /** The base of the patch. */
  readonly from: string;
  readonly patch: string;
  readonly onto: string;
}) => Promise<Rebased>;

/** A commit that touched a file. */
export interface FileCommit {
  readonly sha: string;
  readonly parents: readonly string[];
}

/** Access to the findings of earlier reviews. */
export interface ReviewPorts {
  /** Stores the review record. Null if it could be forged: then only our own comments count. */
  readonly store: StateStore | null;
  /** The reviewed state after a complete run: the head and its merge base. */
  readonly reviewed: Reviewed | null;
  /** Names that files got since the review before, by those they had. */
  readonly renamed: ReadonlyMap<string, string>;
  /** True for a finding whose file the pull request no longer changes. Default: as stored. */
  readonly isOutside?: (finding: PreviousFinding) => boolean;
  /** Ids of open findings that the run was asked about; null for all. */
  readonly asked: ReadonlySet<string> | null;
  /** Changed files that did not fit the reviewer's prompt. Default: none. */
  readonly unshown?: readonly string[];
  /** True if nothing new was to be reviewed, so that no model ran. */
  readonly nothingNew: boolean;
  /** A file's text at a commit; null where it has none that can be read. */
  readText(path: string, sha: string): Promise<string | null>;
  /** The commits since the last review that touched a file under one of its names, newest first. */
  commitsOf(paths: readonly string[]): Promise<readonly FileCommit[]>;
  /**
   * Returns the commit of the pull request that is or replaced an earlier one, as after a rebase;
   * null for none. Default: commits are taken as they are.
   */
  commitNow?(sha: string): Promise<string | null>;
}

/** The one comment that shows a run's progress and becomes its report. */
export interface ProgressComment {
  readonly id: number;
  readonly url: string;
  /** Takes note of an event; an edit follows when it is due. Never waits, never throws. */
  update(event: RunEvent): void;
  /**
   * Replaces the progress by the report, after any active edit. Creates a deleted comment anew.
   * `client` has a fresh token: a run may outlive its first one.
   */
  finish(body: string, client?: Octokit): Promise<{ readonly id: number; readonly url: string }>;
  /**
   * Gives the comment another body, with that body's own marker, in place of `finish`. Null if the
   * comment was deleted.
   */
  become(body: string, client?: Octokit): Promise<{ readonly id: number; readonly url: string } | null>;
  /** Deletes the comment, in place of `finish`. */
  remove(client?: Octokit): Promise<void>;
  /**
   * Closes the comment of a run without a report; does nothing after `finish`. Failures are logged.
   * Throws an outage of GitHub if `triedAgain`.
   */
  fail(body: string, triedAgain?: boolean): Promise<void>;
  /** True once the comment displays the end of the run, or is deleted. */
  isClosed(): boolean;
  /** Stops editing and resolves when no edit is active. Never throws. */
  leave(): Promise<void>;
}

/** Everything the publisher reaches for. */
export interface PublishPorts {
  /** Authorised to write to the plan's repository, and to nothing else. */
  readonly octokit: Octokit;
  readonly store: StateStore;
  /** Null if none was started, for instance by a publisher after the run. */
  readonly progress: ProgressComment | null;
  readonly log: PublishLog;
  /** Our own account: `anode-ci[bot]`. Posts of others are never taken for ours. */
  readonly ownLogin: string;
  readonly runUrl: string | null;
  /** base...head as git shows it, at the plan's head; null if there is no pull request. */
  readonly pullRequestDiff: string | null;
  /** The session that a waiting run resumes from. */
  readonly session: SavedSession | null;
  /** The base branch's configuration. */
  readonly config: Config;
  /** False if stored state is gone or forgeable later, so that nothing can be approved. */
  readonly canAsk?: boolean;
  readonly pushCommit?: PushCommit;
  /** Default: commits are not attested. */
  readonly attest?: AttestChange;
  /**
   * Set if only text may be published: the requester or the pull request changed. Continues `Not
   * committed: `.
   */
  readonly textOnly?: string;
  /** Uploads a review's findings to code scanning. Default: no upload. */
  readonly uploadSarif?: (told: readonly ToldFinding[] | undefined) => Promise<void>;
  /** Default: findings are stored in `store` and located only in the diff. */
  readonly review?: ReviewPorts;
  readonly rebase?: Rebase;
  /** The text of a file as the base branch has it; null where it has none. */
  readonly readBaseFile?: (path: string) => Promise<string | null>;
  /** The text of a file at the head that the run began with; null where it has none. */
  readonly readHeadFile?: (path: string) => Promise<string | null>;
  /**
   * True if the publisher is called again after an error. Then an outage of GitHub is thrown;
   * otherwise it is reported like a refusal.
   */
  readonly triedAgain?: boolean;
  /**
   * True if the publisher is called again until GitHub takes the report. Then a refused report is
   * thrown. Other refusals are in the report and are not retried.
   */
  readonly triedInOutage?: boolean;
  /**
   * True if no one calls again after a defect: the report names it. Default: the defect is thrown.
   */
  readonly reportsDefects?: boolean;
  /** Waits that many milliseconds; another clock in tests. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** The part of a pino logger that reporting uses. */
export interface PublishLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
