import type { Octokit } from '@octokit/rest';
import type { RunHost } from '../config/parse-repository-config.ts';
import type { Config } from '../config/schema.ts';
import type { SandboxMode } from '../contract/levels.ts';
import type { StateStore } from '../contract/session.ts';

/** What deciding needs from outside. */
export interface DecidePorts {
  /** With a token that reads; only GET requests are made. */
  readonly octokit: Octokit;
  readonly store: StateStore;
  /** Takes out of hostile text what a reader of the page would not see. */
  readonly sanitise: (text: string) => string;
  readonly clock: () => Date;
  readonly ids: { readonly runId: () => string; readonly sessionId: () => string };
  readonly log: (message: string) => void;
  readonly settings: {
    readonly host: RunHost;
    /** Our own accounts, such as `anode-ci[bot]`. */
    readonly ownLogins: readonly string[];
    /** Where repositories are cloned from, without a slash at its end. */
    readonly serverUrl: string;
    /** What the workflow or the operator set for this run; stronger than any file. */
    readonly overrides: Config;
    readonly sandbox: SandboxMode;
    /** True keeps the store as it is, too. */
    readonly dryRun: boolean;
  };
}
