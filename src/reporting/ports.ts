import type { Octokit } from '@octokit/rest';
import type { Config } from '../config/schema.ts';
import type { SavedSession, StateStore } from '../contract/session.ts';
import type { Log } from './log.ts';
import type { ProgressComment } from './progress-comment.ts';

/** Where a commit goes that GitHub's API cannot make. */
export interface CommitTarget {
  readonly branch: string;
  readonly expectedSha: string;
  /** Headline, empty line, body with trailers. */
  readonly message: string;
}

/** Commits the run's final tree on top of `expectedSha` by git push, never by force; `moved` when it may not. */
export type PushCommit = (target: CommitTarget) => Promise<{ readonly sha: string } | 'moved'>;

/** Everything the publisher reaches for. */
export interface PublishPorts {
  /** Authorised to write to the plan's repository, and to nothing else. */
  readonly octokit: Octokit;
  readonly store: StateStore;
  /** Null where none was started, for instance by a publisher that runs after the run. */
  readonly progress: ProgressComment | null;
  readonly log: Log;
  /** Our own account: `anode-ci[bot]`. Posts of others are never taken for ours. */
  readonly ownLogin: string;
  readonly runUrl: string | null;
  /** base...head as git shows it, at the plan's head; null where there is no pull request. */
  readonly pullRequestDiff: string | null;
  /** What a waiting run goes on from. */
  readonly session: SavedSession | null;
  /** The base branch's configuration. */
  readonly config: Config;
  readonly pushCommit?: PushCommit;
}
