import { diffArrays } from 'diff/lib/diff/array.js';
import { append } from '../../contract/lists.ts';
import type { NewLines } from '../../contract/review-record.ts';
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
  /** Its lines that are new, by file. */
  readonly newLines: NewLines;
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
  const newLines = new Map<string, NewChanges['lines']>();
  let nothingNew = true;
  for (const file of parseHunks(facts.now).filter(({ path }) => facts.isReviewed(path))) {
    const { hunks, lines } = newChanges(file, before.get(file.path));
    const isWhole = lines === 'all';
    if (isWhole || hunks.size > 0) nothingNew = false;
    if (isWhole || lines.size > 0) newLines.set(file.path, lines);
    const wanted = file.hunks.map(
      (hunk, index) =>
        hunks.has(index) ||
        hunk.some(({ newLine }) => newLine !== null && facts.alsoShow(file.path, newLine)),
    );
    if (isWhole || (wanted.length > 0 && wanted.every((one) => one))) sections.push(file.text);
    else if (wanted.includes(true)) sections.push(onlyHunks(file, wanted));
    else reviewed.push(file.path);
  }
  return { diff: sections.join(''), newLines, reviewed, nothingNew };
}

/** The new part of a file's change: indexes of hunks, and lines; `all` for the whole file. */
interface NewChanges {
  readonly hunks: ReadonlySet<number>;
  readonly lines: ReadonlySet<string> | 'all';
}
const wholeFile: NewChanges = { hunks: new Set(), lines: 'all' };

/** Returns what is new in a file's change. A hunk that only lost lines has no new line. */
function newChanges(file: FileHunks, before: FileHunks | undefined): NewChanges {
  if (before === undefined) return wholeFile;
  const now = changesOf(file);
  // Nothing but a name, a mode or bytes.
  if (now.length === 0)
    return content(file) === content(before) ? { hunks: new Set(), lines: new Set() } : wholeFile;
  const then = changesOf(before);
  const parts = diffArrays(
    then.map(({ text }) => text),
    now.map(({ text }) => text),
    { maxEditLength: mostEdits },
  );
  if (parts === undefined) return wholeFile;
  const beside: Change[] = [];
  const fresh: Change[] = [];
  let at = 0;
  let atThen = 0;
  for (const { added, removed, count } of parts) {
    const isNew = (line: Change, index: number) => added || moved(then[atThen + index], line);
    if (removed) append(beside, besideRemoval(now, at));
    else append(fresh, now.slice(at, at + count).filter(isNew));
    if (!removed) at += count;
    if (!added) atThen += count;
  }
  const hunks = new Set([...beside, ...fresh].map(({ index }) => index));
  return { hunks, lines: new Set(fresh.map(({ name }) => name)) };
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
  /** `R12` for line 12 of the new file, `L12` for one of the old file. */
  readonly name: string;
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
      if (isChange(line)) changes.push({ index, name: nameOf(line), text: signed(line), after, context });
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
const nameOf = ({ oldLine, newLine }: DiffLine) => (newLine === null ? `L${oldLine}` : `R${newLine}`);
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
