/** One argument of a simple command. */
export interface ShellWord {
  /** Source text in the script. */
  readonly source: string;
  /** Value after quote removal; null if bash computes it. */
  readonly value: string | null;
  /** True if the computed value could begin with a dash or be several words. */
  readonly mayBeOption: boolean;
  /** True if it may become several words or none. */
  readonly several: boolean;
  /** True if it contains the output of a command. */
  readonly fromCommand: boolean;
  /** Possible values of a computed word from literal assignments. Absent if none are known. */
  readonly maybe?: readonly string[];
}

/**
 * A file opened by a redirection. `paths` are the possible ones relative to the script's start,
 * several after a `cd` that may have failed. Null if computed.
 */
export interface ShellRedirection {
  readonly paths: readonly string[] | null;
  readonly source: string;
  readonly access: 'read' | 'write';
  /** Possible paths of a computed one from literal assignments. */
  readonly maybe?: readonly string[];
}

/** A simple command at any depth of a script, without wrappers such as `timeout` and `sh -c`. */
export interface SimpleCommand {
  /** The program and its arguments; empty for a bare assignment. */
  readonly words: readonly ShellWord[];
  /** Variables set for this command, or for the shell if there is no program: `A=1`. */
  readonly assignments: readonly string[];
  /** Possible folders relative to the script's start; null if unknown. */
  readonly folders: readonly string[] | null;
  /** Removed wrappers, outermost first: `sudo`, `xargs`. */
  readonly wrappers: readonly string[];
  /** Downloading programs that are piped into it. */
  readonly pipedFrom: readonly string[];
}

/** The commands of a script and the files of its redirections. */
export interface ScriptAnalysis {
  readonly commands: readonly SimpleCommand[];
  readonly redirections: readonly ShellRedirection[];
  /** The first error: bash would reject it, or the parser may misread it. */
  readonly syntaxError: string | null;
  /**
   * The line, from 1, of an error in bash's grammar; line null within an inner script. Null if only
   * the parser fails.
   */
  readonly grammarError: { readonly line: number | null } | null;
  /** Why some of what it runs is unknown; no rule may then allow it. */
  readonly unknown: string | null;
  /** Why it is not proven to read only, even if each command is. */
  readonly doubt: string | null;
  /** Why the whole script is destructive, such as a fork bomb. */
  readonly destructive: string | null;
}
