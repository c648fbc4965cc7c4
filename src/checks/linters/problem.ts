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
  /** True where the file cannot be understood at all, which is told wherever in the file it is. */
  readonly syntax: boolean;
}

/** `path:line:column severity message (rule) [tool]`, on one line. */
export function renderProblem(problem: Problem): string {
  const { path, line, column, severity, rule, tool } = problem;
  const place = [path, line, line === null ? null : column].filter((part) => part !== null).join(':');
  const message = problem.message.replaceAll(/\s+/g, ' ').trim().slice(0, longestMessage);
  return `${place} ${severity} ${message}${rule === null ? '' : ` (${rule})`} [${tool}]`;
}

const longestMessage = 300;
