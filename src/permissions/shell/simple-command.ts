/** One argument of a simple command as the parser saw it. */
export interface ShellWord {
  /** As it stands in the script. */
  readonly source: string;
  /** After quote removal; null where bash computes it when it runs. */
  readonly value: string | null;
  /** True where what bash computes could begin with a dash, or be several words. */
  readonly mayBeOption: boolean;
  /** True where it may become several words, or none. */
  readonly several: boolean;
  /** True where the word holds the output of a command. */
  readonly fromCommand: boolean;
  /** Of a word that bash computes, what it may be by literal assignments in the script; left out where nothing is known. */
  readonly maybe?: readonly string[];
}

/**
 * A file that a redirection opens. `paths` are those it may mean, relative to where the script starts (more
 * than one after a `cd` that may have failed); null where bash computes it.
 */
export interface ShellRedirection {
  readonly paths: readonly string[] | null;
  readonly source: string;
  readonly access: 'read' | 'write';
  /** Where bash computes it, the paths that it may be by literal assignments in the script. */
  readonly maybe?: readonly string[];
}

/** One simple command of a script, however deep it stood, freed of wrappers like `timeout` and `sh -c`. */
export interface SimpleCommand {
  /** The program's word and its arguments; empty for a bare assignment. */
  readonly words: readonly ShellWord[];
  /** Variables set for this command alone, or for the shell where there is no program: `A=1`. */
  readonly assignments: readonly string[];
  /** The folders it may run in, relative to where the script starts; null when that is not known. */
  readonly folders: readonly string[] | null;
  /** Wrappers it was taken out of, outermost first: `sudo`, `xargs`. */
  readonly wrappers: readonly string[];
  /** The programs among those that download which write to its standard input through a pipe. */
  readonly pipedFrom: readonly string[];
}

/** A script taken apart: what it runs and which files its redirections open. */
export interface ScriptAnalysis {
  readonly commands: readonly SimpleCommand[];
  readonly redirections: readonly ShellRedirection[];
  /** Bash would refuse it, or means something else by it than the parser: the first error. */
  readonly syntaxError: string | null;
  /** Where the grammar of bash itself is broken: the line, from 1, or null inside a script within. Null where only the parser gives up. */
  readonly grammarError: { readonly line: number | null } | null;
  /** Some of what it runs is known only when it runs; no rule may allow it. */
  readonly unknown: string | null;
  /** Why it cannot be proven to read only, though each command may look so. */
  readonly doubt: string | null;
  /** Why the script as a whole destroys something, such as a fork bomb. */
  readonly destructive: string | null;
}
