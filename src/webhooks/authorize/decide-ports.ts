import type { Octokit } from '@octokit/rest';
import type { SandboxMode } from '../../contract/levels.ts';
import type { TextOrigin } from '../../contract/untrusted.ts';
import type { DoctorFacts } from './doctor-facts.ts';
import type { JudgePorts, JudgeSettings } from './judge-event.ts';

/** What deciding needs from outside. */
export interface DecidePorts extends JudgePorts {
  /** Takes out of hostile text what a reader of the page would not see, and takes note of it where it is told whose words they are. */
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  /** With a token that reads checks and logs of jobs; left out, `octokit`. Fails where there is none. */
  readonly checks?: () => Promise<Octokit>;
  /** What the machine and the installation have, for `doctor`; left out, nothing is known of them. */
  readonly doctor?: () => Promise<DoctorFacts>;
  readonly clock: () => Date;
  readonly ids: { readonly runId: () => string; readonly sessionId: () => string };
  readonly settings: JudgeSettings & {
    /** The least the operator demands; null where the configuration alone decides. */
    readonly sandbox: SandboxMode | null;
    /** True leaves the store as it is. */
    readonly dryRun: boolean;
  };
}
