import { stripVTControlCharacters } from 'node:util';

/** The part of a job's log that contains the cause of the failure. */
export interface FailureExcerpt {
  readonly text: string;
  /** The scripts of the failed steps, as the log shows them. Untrusted. */
  readonly scripts: readonly string[];
}

/** Lines of one failed step: around its first error, and at its end. */
const most = { before: 10, after: 50, end: 60, whole: 120 } as const;
const mostSteps = 3;
const mostOfLine = 500;

const telling =
  /error|\b(?:err!|fail(?:ed|ure|ing|s)?|exception|panic(?:ked)?|traceback|assert\w*|expected|cannot|undefined reference|not ok)\b|[✗✘×✕]/iu;

/**
 * Cuts a log of GitHub Actions to its failed steps: each one's script, the lines around the first
 * error, and the last lines. A log without marks of steps gives its last 120 lines. Times and
 * colours are removed.
 */
export function failureExcerpt(log: string): FailureExcerpt {
  const all = stripVTControlCharacters(log.replace(/^\uFEFF/u, ''))
    .split(/\r?\n/u)
    .map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /u, '').slice(0, mostOfLine));
  const lines = withoutEnd(all);
  const steps = splitSteps(lines).filter((step) => step.lines.some((line) => line.startsWith('##[error]')));
  if (steps.length === 0) return { text: cut(lines).join('\n'), scripts: [] };
  const failed = steps.slice(0, mostSteps);
  return {
    text: failed
      .map(({ script, lines: own }) => [...(script === null ? [] : [`$ ${script}`]), ...cut(own)].join('\n'))
      .join('\n\n'),
    scripts: failed.flatMap(({ script }) => (script === null ? [] : [script])),
  };
}

/** Returns the lines that contain an error; the last lines if none does. */
export function tellingLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const found = lines.filter((line) => telling.test(line));
  return found.length === 0 ? lines.slice(-5) : found;
}

interface Step {
  /** Null for an action, which has no script. */
  readonly script: string | null;
  readonly lines: readonly string[];
}

/** Splits a log at the group that begins each step: `##[group]Run npm test`. */
function splitSteps(lines: readonly string[]): Step[] {
  const starts = lines.flatMap((line, at) =>
    line.startsWith('##[group]Run ') || line === 'Post job cleanup.' ? [at] : [],
  );
  return starts.map((start, index) => {
    const own = lines.slice(start, starts[index + 1] ?? lines.length);
    const end = own.indexOf('##[endgroup]');
    const shell = own.findIndex((line) => line.startsWith('shell: '));
    // The lines of the script stand between the group's title and the shell.
    const script = shell > 1 && shell < end ? own.slice(1, shell).join('\n').trim() : null;
    return { script, lines: own.slice(end + 1) };
  });
}

function cut(lines: readonly string[]): string[] {
  if (lines.length <= most.whole) return [...lines];
  const first = lines.findIndex((line) => telling.test(line));
  const from = Math.max(0, first - most.before);
  const to = first === -1 ? 0 : first + most.after;
  const rest = first === -1 ? lines.length - most.whole : Math.max(to, lines.length - most.end);
  return [
    ...(first > most.before ? [leftOut(from)] : []),
    ...(first === -1 ? [] : lines.slice(from, to)),
    ...(first !== -1 && rest > to ? [leftOut(rest - to)] : []),
    ...lines.slice(rest),
  ];
}

const leftOut = (count: number): string => `(${count} lines left out)`;

/** Removes empty lines at the end of a log. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}
