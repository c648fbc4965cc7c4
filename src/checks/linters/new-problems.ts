import { structuredPatch } from 'diff/lib/patch/create.js';
import type { Problem } from './check-program.ts';

/** A problem, and whether the change brought it. */
export interface JudgedProblem extends Problem {
  readonly isNew: boolean;
}

/** How far from a changed line a finding still counts as the change's. */
const nearby = 2;
const diffTimeoutMs = 1_000;

/**
 * Those problems of one check in one file that are worth telling: what the change brought, and what keeps the
 * file from being understood, new or not. `earlier` is what the same check says of the text before; null where
 * that is not known: then what stands on changed lines, or beside them, counts as new.
 */
export function worthTelling(
  problems: readonly Problem[],
  earlier: readonly Problem[] | null,
  file: { readonly before: string | null; readonly after: string },
): JudgedProblem[] {
  if (problems.length === 0) return [];
  const isChanged = changedLines(file.before, file.after);
  // Where the text before could not be parsed, its check saw nothing else.
  const known = file.before === null || earlier?.some(({ syntax }) => syntax) === true ? null : earlier;
  const fresh =
    known === null
      ? new Set(problems.filter(({ line }) => (line === null ? file.before === null : isChanged(line))))
      : notIn(problems, known, isChanged);
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

/** Problems beyond those known before, by rule and words, since lines move; of equal ones those on changed lines. */
function notIn(
  problems: readonly Problem[],
  known: readonly Problem[],
  isChanged: (line: number) => boolean,
): Set<Problem> {
  const left = new Map<string, number>();
  for (const one of known) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
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
  // What changed so much that it cannot be told changed everywhere.
  if (hunks === undefined) return () => true;
  return (line) =>
    hunks.some(({ newStart, newLines }) => line >= newStart - nearby && line < newStart + newLines + nearby);
}
