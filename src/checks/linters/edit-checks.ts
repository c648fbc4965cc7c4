import type { RunEntry } from '../../contract/run-ledger.ts';
import type { CommandRunner } from '../../sandbox/command-runner.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { FoundProgram, Problem } from './check-program.ts';

/** What is done about files that a tool changes, besides writing them; decided once for a run by its root. */
export interface EditChecks {
  /** Whether changed files are checked, and what is found comes back with the edit's result. */
  readonly verify: boolean;
  /** Whether formatters run over a file before it is written. */
  readonly format: boolean;
  /**
   * Whether the repository's own programs may run for it. Their configuration is code of the checkout, so this
   * is true only where the gate would let any command run. Without, files are checked by ourselves alone.
   */
  readonly programs: boolean;
  /** Absolute folders where programs of the machine are looked for, in order, as in PATH. */
  readonly programFolders: readonly string[];
  /** How long one program may take, in milliseconds: one that takes longer costs an edit more than it tells. */
  readonly timeoutMs: number;
  readonly memory: CheckMemory;
}

/** What the checks of one run remember, so that an edit to which nothing applies costs nothing. */
export interface CheckMemory {
  /** Names of configuration files that a folder holds, by the folder. */
  readonly markers: Map<string, Promise<ReadonlySet<string>>>;
  /** Programs that apply, by the kind of file and its folder. */
  readonly programs: Map<string, Promise<readonly FoundProgram[]>>;
  /** Programs left out for the rest of the run, as they hung or broke. */
  readonly leftOut: Set<string>;
  /** What a program last found in a file, and the hash of the content that it looked at. */
  readonly found: Map<string, { readonly hash: string; readonly problems: readonly Problem[] }>;
}

/** The checks of a run that begins, as it was decided on them; left out, there are none. */
export function newEditChecks(decided: Partial<Omit<EditChecks, 'memory'>> = {}): EditChecks {
  const memory = { markers: new Map(), programs: new Map(), leftOut: new Set<string>(), found: new Map() };
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
