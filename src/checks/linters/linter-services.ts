import type { RunEntry } from '../../contract/run-ledger.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { EditChecks } from './edit-checks.ts';

/** What looking for the programs of a checkout needs. */
export interface LinterPlaces {
  readonly workspace: Pick<Workspace, 'root' | 'files'>;
  readonly editChecks: EditChecks;
}

/** What running them needs besides; the context of a tool call is one. */
export interface LinterServices extends LinterPlaces {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly signal: AbortSignal;
  /** Appends to the run ledger. */
  readonly record: (entry: RunEntry) => void;
}
