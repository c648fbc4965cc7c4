import type { Octokit } from '@octokit/rest';
import type { Config } from '../config/schema.ts';
import type { SavedSession, StateStore } from '../contract/session.ts';
import type { ProgressComment } from './progress-comment.ts';

/** The part of a pino logger that reporting uses. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Time, as far as reporting needs it. `later` gives back what takes the call back. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  later(milliseconds: number, run: () => void): () => void;
}

/** The clock of this machine; a timer that waits keeps no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  later(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

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
