import type { EditedComment } from '../commands/trigger.ts';

/** A box of ours in a comment: on which line it stands, from 0, and whatever it means. */
interface Box {
  readonly line: number;
}

/** A comment with boxes as we know it. */
interface Boxed<Own extends Box> {
  readonly text: string;
  readonly boxes: readonly Own[];
}

/** An edited comment of ours: which boxes are ticked now, or that something else was changed. */
export type Ticks<Own extends Box> =
  | { readonly kind: 'ticks'; readonly text: string; readonly ticked: readonly Own[] }
  | { readonly kind: 'changed'; readonly reason: string };

/** GitHub Flavored Markdown, "Task list items". */
const box = /^(\s*[-*+] \[)([ xX])(\])/;

/**
 * What an edit of a comment with boxes ticked. It counts where the comment was as we know it before and differs now in nothing but
 * boxes of ours: somebody who may not tick could have ticked just before, which the edit would carry on. Pure.
 */
export function readTicks<Own extends Box>(posted: Boxed<Own>, { from, body }: EditedComment): Ticks<Own> {
  const before = compare(posted, from);
  if (before?.text !== posted.text)
    return { kind: 'changed', reason: 'the comment was not as we know it when it was edited' };
  const now = compare(posted, body);
  return now === null
    ? { kind: 'changed', reason: 'more than a box of ours was changed' }
    : { kind: 'ticks', ...now };
}

/**
 * The ticks in a comment that differs from ours only between the brackets of our own boxes; null for any other. Line ends and
 * white space at the end, which GitHub's editor changes, do not count.
 */
function compare<Own extends Box>(
  posted: Boxed<Own>,
  body: string,
): { readonly text: string; readonly ticked: readonly Own[] } | null {
  const before = linesOf(posted.text);
  const after = linesOf(body);
  if (before.length !== after.length) return null;
  const ours = new Set(posted.boxes.map(({ line }) => line));
  const same = before.every((line, index) => {
    const now = after[index] ?? '';
    return line === now || (ours.has(index) && emptied(line) === emptied(now));
  });
  if (!same) return null;
  const ticked = posted.boxes.filter(({ line }) => isTicked(after[line] ?? ''));
  return { text: setTicks(posted, ticked), ticked };
}

/** The boxes that are ticked in the comment as we know it. */
export function tickedBoxes<Own extends Box>({ text, boxes }: Boxed<Own>): readonly Own[] {
  const lines = text.split('\n');
  return boxes.filter(({ line }) => isTicked(lines[line] ?? ''));
}

/** The comment with exactly these boxes ticked. */
export function setTicks<Own extends Box>({ text, boxes }: Boxed<Own>, ticked: readonly Own[]): string {
  const lines = text.split('\n');
  for (const one of boxes) {
    const mark = ticked.includes(one) ? 'x' : ' ';
    lines[one.line] = (lines[one.line] ?? '').replace(box, `$1${mark}$3`);
  }
  return lines.join('\n');
}

const linesOf = (text: string): string[] =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());

const emptied = (line: string): string => line.replace(box, '$1 $3');
const isTicked = (line: string): boolean => /^\s*[-*+] \[[xX]\]/.test(line);
