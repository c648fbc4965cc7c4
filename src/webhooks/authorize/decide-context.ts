import type { Octokit } from '@octokit/rest';
import type { SandboxMode } from '../../contract/levels.ts';
import type { TextOrigin } from '../../contract/untrusted.ts';
import type { AuthorizeContext, EventSettings } from './authorize-event.ts';
import type { DoctorFacts } from './doctor-facts.ts';

/** Everything that a decision needs besides its event. */
export interface DecideContext extends AuthorizeContext {
  /**
   * Removes text that is invisible on the page. With an origin it also records the removed parts.
   */
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  /**
   * Returns a client that reads checks and job logs. Rejects without a token for it. Default:
   * `octokit`.
   */
  readonly checks?: () => Promise<Octokit>;
  /** Reads the machine and the installation for `doctor`. Default: unknown. */
  readonly doctor?: () => Promise<DoctorFacts>;
  readonly clock: () => Date;
  readonly ids: { readonly runId: () => string; readonly sessionId: () => string };
  readonly settings: EventSettings & {
    /** The least sandbox that the operator demands; null leaves it to the configuration. */
    readonly sandbox: SandboxMode | null;
    /** True to write nothing to the store. */
    readonly dryRun: boolean;
  };
}
