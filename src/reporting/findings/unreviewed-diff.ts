import { diffArrays } from 'diff/lib/diff/array.js';
import { type DiffLine, type FileHunks, headerOf, hunkTexts, parseHunks } from '../diff/git-patch.ts';

/** Two versions of a file's changes that differ in more lines count as different as a whole. */
const mostEdits = 5_000;

export interface UnreviewedFacts {
  /** The pull request's diff now, and when it was reviewed. */
  readonly now: string;
  readonly before: string;
  /** Files, by the names they had then, that were not reviewed then. */
  readonly unseen?: readonly string[];
  /** New names of files by those they had then. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly isReviewed: (path: string) => boolean;
  /** Lines of the new side that must be included, too. */
  readonly alsoShow: (path: string, line: number) => boolean;
}

export interface UnreviewedDiff {
  /** The new hunks as a diff; '' if there are none. */
  readonly diff: string;
  /** Files of the pull request that are not included. */
  readonly reviewed: readonly string[];
  /** True if no hunk is new. */
  readonly nothingNew: boolean;
}

/**
 * Returns the changes that were not part of the reviewed pull request. Compares changed lines, not
 * commits: a rebase or a merge of the base needs no new review, but new changes in it do. A hunk is
 * new if part of its change was reverted or its lines moved past unchanged ones.
 */
export function unreviewedDiff(facts: UnreviewedFacts): UnreviewedDiff {
  const before = new Map(
    parseHunks(facts.before)
      .filter(({ path }) => !facts.unseen?.includes(path))
      .map((file) => [facts.renamed.get(file.path) ?? file.path, file]),
  );
  const sections: string[] = [];
  const reviewed: string[] = [];
  let nothingNew = true;
  for (const file of parseHunks(facts.now).filter(({ path }) => facts.isReviewed(path))) {
    const fresh = newHunks(file, before.get(file.path));
    if (fresh.size > 0) nothingNew = false;
    const wanted = file.hunks.map(
      (hunk, index) =>
        fresh.has(index) ||
        hunk.some(({ newLine }) => newLine !== null && facts.alsoShow(file.path, newLine)),
    );
    if (fresh.has(-1) || (wanted.length > 0 && wanted.every((one) => one))) sections.push(file.text);
    else if (wanted.includes(true)) sections.push(onlyHunks(file, wanted));
    else reviewed.push(file.path);
  }
  return { diff: sections.join(''), reviewed, nothingNew };
}

/** Returns the indexes of a file's new hunks; -1 for the whole file. */
function newHunks(file: FileHunks, before: FileHunks | undefined): ReadonlySet<number> {
  if (before === undefined) return new Set([-1]);
  const now = changesOf(file);
  // Nothing but a name, a mode or bytes.
  if (now.length === 0) return new Set(content(file) === content(before) ? [] : [-1]);
  const then = changesOf(before);
  const parts = diffArrays(
    then.map(({ text }) => text),
    now.map(({ text }) => text),
    { maxEditLength: mostEdits },
  );
  if (parts === undefined) return new Set([-1]);
  const fresh = new Set<number>();
  let at = 0;
  let atThen = 0;
  for (const { added, removed, count } of parts) {
    const lines = removed ? besideRemoval(now, at) : now.slice(at, at + count);
    const isNew = (line: Change, index: number) => added || removed || moved(then[atThen + index], line);
    for (const { index } of lines.filter(isNew)) fresh.add(index);
    if (!removed) at += count;
    if (!added) atThen += count;
  }
  return fresh;
}

/** Returns the changed line after a removed one, else the one before. */
const besideRemoval = (lines: readonly Change[], at: number): readonly Change[] => {
  const line = lines[at] ?? lines[at - 1];
  return line === undefined ? [] : [line];
};

/** A changed line, and the lines that stayed in its hunk. */
interface Change {
  /** The hunk's place in the file's diff, from 0. */
  readonly index: number;
  /** The line behind `+` or `-`. */
  readonly text: string;
  /** The nearest unchanged line before it in the hunk; null where there is none. */
  readonly after: string | null;
  readonly context: ReadonlySet<string>;
}

function changesOf(file: FileHunks): Change[] {
  return file.hunks.flatMap((hunk, index) => {
    const context = new Set(hunk.filter((line) => !isChange(line)).map(({ text }) => text));
    const changes: Change[] = [];
    let after: string | null = null;
    for (const line of hunk)
      if (isChange(line)) changes.push({ index, text: signed(line), after, context });
      else after = line.text;
    return changes;
  });
}

/**
 * True if the previous line differs now, though both lines are unchanged. A changed base there
 * proves no move.
 */
function moved(then: Change | undefined, now: Change): boolean {
  if (then === undefined || then.after === null || now.after === null) return false;
  return then.after !== now.after && then.context.has(now.after) && now.context.has(then.after);
}

const isChange = ({ kind }: DiffLine) => kind !== 'context';
const signed = ({ kind, text }: DiffLine) => `${kind === 'added' ? '+' : '-'}${text}`;
const content = ({ text }: FileHunks) => text.replace(/^similarity index .*$/mu, '');

function onlyHunks(file: FileHunks, wanted: readonly boolean[]): string {
  return (
    headerOf(file.text) +
    hunkTexts(file.text)
      .filter((_, index) => wanted[index])
      .join('')
  );
}
