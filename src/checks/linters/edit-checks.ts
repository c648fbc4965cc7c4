import type { RunEntry } from '../../contract/run-ledger.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { FoundProgram, Problem } from './check-program.ts';

/** Checks and formatters for edited files, decided once a run. */
export interface EditChecks {
  /** True if edits report the problems of changed files. */
  readonly verify: boolean;
  /** True if files are formatted before they are written. */
  readonly format: boolean;
  /**
   * True if the repository's own programs may run. Their configuration is code of the checkout, so
   * this needs a gate that allows any command.
   */
  readonly programs: boolean;
  /** Absolute folders where programs of the machine are looked for, in order, as in PATH. */
  readonly programFolders: readonly string[];
  /** Time-out of one program in milliseconds. */
  readonly timeoutMs: number;
  readonly memory: CheckMemory;
}

/** State that the checks of a run share, so that edits to which nothing applies cost nothing. */
interface CheckMemory {
  /** Names of configuration files in a folder, by the folder. */
  readonly markers: Map<string, Promise<ReadonlySet<string>>>;
  /** Programs that apply, by the kind of file and its folder. */
  readonly programs: Map<string, Promise<readonly FoundProgram[]>>;
  /** Programs excluded for the rest of the run, as they hung or broke. */
  readonly excluded: Set<string>;
  /** The last problems of a file, with the hash of its content then. */
  readonly found: Map<string, { readonly hash: string; readonly problems: readonly Problem[] }>;
}

/** Creates the checks of a run. Default: none. */
export function newEditChecks(decided: Partial<Omit<EditChecks, 'memory'>> = {}): EditChecks {
  const memory = { markers: new Map(), programs: new Map(), excluded: new Set<string>(), found: new Map() };
  return {
    verify: false,
    format: false,
    programs: false,
    programFolders: [],
    timeoutMs: 10_000,
    ...decided,
    memory,
  };
}

/** Services for finding programs. */
export interface LinterLocations {
  readonly workspace: Pick<Workspace, 'root' | 'files'>;
  readonly editChecks: EditChecks;
}

/** Services for running them; the context of a tool call is one. */
export interface LinterServices extends LinterLocations {
  readonly commands: Pick<CommandRunner, 'run'>;
  readonly signal: AbortSignal;
  /** Appends to the run ledger. */
  readonly record: (entry: RunEntry) => void;
}
