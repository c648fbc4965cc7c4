import { structuredPatch } from 'diff/lib/patch/create.js';
import type { Problem } from './check-program.ts';

/** A problem, and whether the change caused it. */
export interface EvaluatedProblem extends Problem {
  readonly isNew: boolean;
}

/** Lines around a change in which a finding counts as the change's. */
const nearby = 2;
const diffTimeoutMs = 1_000;

/**
 * Returns the problems of one check in one file that must be reported: new ones, and all syntax
 * errors. `earlier` are the problems of the text before, or null if unknown. Then problems on
 * changed lines, or next to them, count as new.
 */
export function reportableProblems(
  problems: readonly Problem[],
  earlier: readonly Problem[] | null,
  file: { readonly before: string | null; readonly after: string },
): EvaluatedProblem[] {
  if (problems.length === 0) return [];
  const isChanged = changedLines(file.before, file.after);
  // The check of a text with a syntax error found nothing else.
  const comparable = file.before === null || earlier?.some(({ syntax }) => syntax) === true ? null : earlier;
  const fresh =
    comparable === null
      ? new Set(problems.filter(({ line }) => (line === null ? file.before === null : isChanged(line))))
      : notIn(problems, comparable, isChanged);
  const earlierSyntax = notIn(
    problems,
    (earlier ?? []).filter(({ syntax }) => syntax),
    isChanged,
  );
  return problems.flatMap((problem) => {
    if (!problem.syntax) return fresh.has(problem) ? [{ ...problem, isNew: true }] : [];
    return [{ ...problem, isNew: earlier === null || earlierSyntax.has(problem) }];
  });
}

/**
 * Problems that are not among `comparable`, by rule and message, as lines move. Of equal ones those
 * on changed lines are new.
 */
function notIn(
  problems: readonly Problem[],
  comparable: readonly Problem[],
  isChanged: (line: number) => boolean,
): Set<Problem> {
  const left = new Map<string, number>();
  for (const one of comparable) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  const untouchedFirst = problems.toSorted((a, b) => Number(isOn(a)) - Number(isOn(b)));
  const fresh = new Set<Problem>();
  for (const one of untouchedFirst) {
    const count = left.get(keyOf(one)) ?? 0;
    if (count > 0) left.set(keyOf(one), count - 1);
    else fresh.add(one);
  }
  return fresh;

  function isOn({ line }: Problem): boolean {
    return line !== null && isChanged(line);
  }
}

const keyOf = ({ rule, message }: Problem): string => `${rule}\0${message}`;

function changedLines(before: string | null, after: string): (line: number) => boolean {
  if (before === null) return () => true;
  const options = { context: 0, timeout: diffTimeoutMs };
  const hunks = structuredPatch('', '', before, after, undefined, undefined, options)?.hunks;
  // Without hunks the diff took too long, so every line counts as changed.
  if (hunks === undefined) return () => true;
  return (line) =>
    hunks.some(({ newStart, newLines }) => line >= newStart - nearby && line < newStart + newLines + nearby);
}
