import type { LiteralVariables } from './literal-variables.ts';
import type { ShellRedirection, SimpleCommand } from './simple-command.ts';

/** What the walk has found so far, and the state of the shell at the point it has reached. */
export interface Walk {
  readonly commands: SimpleCommand[];
  readonly redirections: ShellRedirection[];
  syntaxError: string | null;
  grammarError: { readonly line: number | null } | null;
  unknown: string | null;
  doubt: string | null;
  destructive: string | null;
  /** What is literal of the variables that the script sets. */
  readonly variables: LiteralVariables;
  /** True once a `cd` stood where its number of runs is not known: then no folder is known. */
  lost: boolean;
}

/** Where in the script the walk is. `folders` changes as `cd`s go by. */
export interface Place {
  folders: readonly string[] | null;
  readonly depth: number;
  readonly repeated: boolean;
  readonly pipedFrom: readonly string[];
  /** True where the script is read by a `sh` that may be another shell than bash. */
  readonly posix: boolean;
  readonly wrappers: readonly string[];
  readonly assignments: readonly string[];
}
