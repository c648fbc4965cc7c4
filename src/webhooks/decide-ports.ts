import type { SandboxMode } from '../contract/levels.ts';
import type { JudgePorts, JudgeSettings } from './judge-event.ts';
import type { TextOrigin } from './thread-context.ts';

/** What deciding needs from outside. */
export interface DecidePorts extends JudgePorts {
  /** Takes out of hostile text what a reader of the page would not see, and takes note of it where it is told whose words they are. */
  readonly sanitise: (text: string, origin?: TextOrigin) => string;
  readonly clock: () => Date;
  readonly ids: { readonly runId: () => string; readonly sessionId: () => string };
  readonly settings: JudgeSettings & {
    /** The least the operator demands. */
    readonly sandbox: SandboxMode;
    /** True leaves the store as it is. */
    readonly dryRun: boolean;
  };
}
