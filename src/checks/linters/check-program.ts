/** Output of a program. */
export interface ProgramOutput {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A finding as a program reports it; the path is `null` for standard input. */
export interface Report extends Omit<Problem, 'path' | 'tool'> {
  readonly path: string | null;
}

/**
 * A configuration file of a program: its name and, if given, a pattern that its text must match.
 */
export interface Marker {
  readonly file: string;
  readonly contains?: RegExp;
}

/** One program of the repository or the machine that looks at changed files, or formats them. */
export interface CheckProgram {
  readonly name: string;
  /** The paths it understands. */
  readonly files: RegExp;
  /** Files that show it is in use, best first; empty if it needs no configuration. */
  readonly configured: readonly Marker[];
  /**
   * Paths in the checkout, tried in each folder from the configuration's upwards, then a name in
   * PATH.
   */
  readonly inCheckout: readonly string[];
  readonly onPath: string | null;
  readonly check: Check | null;
  /** Arguments with which it turns standard input into the formatted text on standard output. */
  readonly format: ((path: string, config: string | null) => readonly string[]) | null;
}

export interface Check {
  /**
   * Arguments to check paths, relative to the configuration's folder; `config` is that file's
   * content.
   */
  readonly files: (paths: readonly string[], config: string | null) => readonly string[];
  /** True for a program that takes one path a time. */
  readonly oneByOne?: boolean;
  /** Arguments to check standard input as the content of `path`. Default: not possible. */
  readonly input?: (path: string, config: string | null) => readonly string[];
  /** Its reports; null for output that has another form, which counts as broken. */
  readonly parse: (output: ProgramOutput) => readonly Report[] | null;
  /** Names of better programs: where one of them applies, this one is not needed. */
  readonly unless?: readonly string[];
  /** A pattern for the `#!` line of files that have one. */
  readonly shebang?: RegExp;
}

/** A configured and installed program that applies to a file. */
export interface FoundProgram {
  readonly program: CheckProgram;
  /** An absolute path, or a name to be found in PATH. */
  readonly executable: string;
  /**
   * The folder of its configuration, relative to the workspace; `''` is the root. It is run there.
   */
  readonly folder: string;
  /** The configuration's text where it is needed to know more. */
  readonly config: string | null;
}

/** A changed file that can be checked: text, before and after. */
export interface ChangedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** One thing a check has to say about a changed file. */
export interface Problem {
  /** Relative to the workspace. */
  readonly path: string;
  /** From 1; null for what concerns the whole file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The rule by the check's own name; null where there is none. */
  readonly rule: string | null;
  /** The check: `eslint`, `yaml`. */
  readonly tool: string;
  /** True if the file cannot be parsed; reported wherever it is. */
  readonly syntax: boolean;
}

/** `path:line:column severity message (rule) [tool]`, on one line. */
export function renderProblem(problem: Problem): string {
  const { path, line, column, severity, rule, tool } = problem;
  const position = [path, line, line === null ? null : column].filter((part) => part !== null).join(':');
  const message = problem.message.replaceAll(/\s+/g, ' ').trim().slice(0, longestMessage);
  return `${position} ${severity} ${message}${rule === null ? '' : ` (${rule})`} [${tool}]`;
}

const longestMessage = 300;
