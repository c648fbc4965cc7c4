import { createHash } from 'node:crypto';
import { distance } from 'fastest-levenshtein';
import type { Finding } from '../../contract/findings.ts';
import type { HunkMap, Side } from '../diff/hunk-map.ts';
import type { ReviewPorts } from '../posting/ports.ts';

/** The known text of files by side: whole files, or the lines of a diff. Numbers count from 1. */
export interface LineSource {
  /** Lines by number, ascending; null for a file that is not there. */
  lines(path: string, side: Side): ReadonlyMap<number, string> | null;
}

/** The text of a finding, in a form independent of indentation and line numbers. */
export interface LineContext {
  readonly anchor: string;
  readonly window: string;
  readonly occurrence: number;
  /** Lines from the last line of the anchor to the finding's last line. Default: 0. */
  readonly shift?: number | undefined;
}

/** The current state of a previous finding's lines. */
export type LineStatus =
  /** The finding's lines and the lines around are unchanged. */
  | { readonly kind: 'untouched'; readonly line: number }
  /** The finding's lines are unchanged, but lines beside them changed. */
  | { readonly kind: 'touched'; readonly line: number }
  /** The finding's lines are not there. `changed`: a line near their place is nearly the same. */
  | { readonly kind: 'gone'; readonly changed: boolean }
  /** The state is unknown. */
  | { readonly kind: 'unknown' };

type FindingLocation = Pick<Finding, 'path' | 'side' | 'line' | 'start_line'>;

/** Lines around the anchor that count towards the window, on each side, without empty ones. */
const reach = 3;
/** A longer range is identified by its first lines. */
const longestAnchor = 12;
/** With fewer letters and digits, lines beside are taken along. */
const tellingLength = 6;

/** The context of a place; the anchor is '' where its lines are not known. */
export function contextOf(location: FindingLocation, source: LineSource): LineContext {
  const lines = textLines(source.lines(location.path, location.side));
  const first = Math.min(location.start_line ?? location.line, location.line);
  const last = Math.max(location.start_line ?? location.line, location.line);
  const start = lines.findIndex(({ number }) => number >= first && number <= last);
  if (start < 0) return { anchor: '', window: '', occurrence: 0 };
  let end = start;
  while (end < lines.length && (lines[end]?.number ?? 0) <= last && end - start < longestAnchor) end++;
  const [from, to] = widened(lines, start, end);
  const anchor = joined(lines, from, to);
  const before = indexesOf(anchor, lines).filter((at) => at < from).length;
  const shift = last - (lines[to - 1]?.number ?? last);
  const context = { anchor, window: windowAt(lines, from, to), occurrence: before };
  return shift === 0 ? context : { ...context, shift };
}

/**
 * Locates the context of a previous finding in the current files. No line of `before` is the
 * changed form of another.
 */
export function lineStatusOf(
  previous: LineContext & Pick<Finding, 'path' | 'side' | 'line'>,
  source: LineSource,
  before: LineSource | null = null,
): LineStatus {
  if (previous.anchor === '') return { kind: 'unknown' };
  const lines = textLines(source.lines(previous.path, previous.side));
  const indexes = indexesOf(previous.anchor, lines);
  const length = previous.anchor.split('\n').length;
  const { shift = 0, occurrence } = previous;
  const number = (at: number | undefined) =>
    Math.max(1, (lines[(at ?? 0) + length - 1]?.number ?? 1) + shift);
  // A finding read only from its comment has no known surroundings.
  if (previous.window === '' && indexes.length > 0) return { kind: 'untouched', line: number(indexes[0]) };
  const same = indexes.filter((at) => windowAt(lines, at, at + length) === previous.window);
  if (same.length > 0) {
    const known = same.find((at) => indexes[occurrence] === at);
    return { kind: 'untouched', line: number(known ?? same[0]) };
  }
  if (indexes.length === 0) {
    const known = textLines(before?.lines(previous.path, previous.side) ?? null);
    const old = new Set(known.map(({ text }) => text));
    return {
      kind: 'gone',
      changed: isChanged(
        previous,
        lines.filter(({ text }) => !old.has(text)),
      ),
    };
  }
  return { kind: 'touched', line: number(indexes[occurrence] ?? indexes.at(-1)) };
}

/** Lines around the old place in which a changed line may be. */
const nearLines = 20;
/** Share of a line's characters that may be others in its changed form. */
const changedShare = 0.5;
/** Characters of a line that are compared. */
const longestCompared = 300;

/** True if half of a finding's lines are nearly the same near their place. */
function isChanged(
  { anchor, line }: LineContext & Pick<Finding, 'line'>,
  lines: readonly TextLine[],
): boolean {
  const near = lines.filter(({ number }) => Math.abs(number - line) <= nearLines);
  const wanted = anchor.split('\n');
  const similar = wanted.filter((one) => near.some(({ text }) => isSimilarLine(one, text)));
  return similar.length * 2 >= wanted.length;
}

function isSimilarLine(one: string, other: string): boolean {
  const [a, b] = [one.slice(0, longestCompared), other.slice(0, longestCompared)];
  return distance(a, b) <= Math.max(a.length, b.length) * changedShare;
}

interface TextLine {
  readonly number: number;
  /** Without any white space. */
  readonly text: string;
}

/** The lines that hold anything but white space. */
function textLines(lines: ReadonlyMap<number, string> | null): TextLine[] {
  return [...(lines ?? [])]
    .map(([number, text]) => ({ number, text: text.replace(/\s+/gu, '') }))
    .filter(({ text }) => text !== '');
}

/** Adds lines until the text is unique: a single brace is not. */
function widened(lines: readonly TextLine[], start: number, end: number): [number, number] {
  let [from, to] = [start, end];
  for (let step = 0; step < reach; step++) {
    if (joined(lines, from, to).replace(/[^\p{L}\p{N}]/gu, '').length >= tellingLength) break;
    from = Math.max(0, from - 1);
    to = Math.min(lines.length, to + 1);
  }
  return [from, to];
}

function joined(lines: readonly TextLine[], from: number, to: number): string {
  return lines
    .slice(Math.max(0, from), to)
    .map(({ text }) => text)
    .join('\n');
}

function indexesOf(anchor: string, lines: readonly TextLine[]): number[] {
  const wanted = anchor.split('\n');
  const indexes: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    if (wanted.every((text, index) => lines[at + index]?.text === text)) indexes.push(at);
  }
  return indexes;
}

function windowAt(lines: readonly TextLine[], from: number, to: number): string {
  return createHash('sha256')
    .update(joined(lines, from - reach, to + reach))
    .digest('hex')
    .slice(0, 16);
}

/** Returns the text of the head's files, else of the diff. Deleted lines come from the diff. */
export async function textSource(
  paths: Iterable<string>,
  sha: string,
  map: HunkMap,
  { readText }: Pick<ReviewPorts, 'readText'>,
): Promise<LineSource> {
  const wanted = [...new Set(paths)];
  const texts = await Promise.all(wanted.map(async (path) => [path, await readText(path, sha)] as const));
  const files = new Map(texts.flatMap(([path, text]) => (text === null ? [] : [[path, numbered(text)]])));
  return {
    lines: (path, side) =>
      side === 'RIGHT' ? (files.get(path) ?? map.lines(path, side)) : map.lines(path, side),
  };
}

/** The lines of a text by number. */
export function numbered(text: string): ReadonlyMap<number, string> {
  return new Map(text.split('\n').map((line, index) => [index + 1, line]));
}
