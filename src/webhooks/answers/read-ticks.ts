import type { EditedComment } from '../commands/trigger.ts';

/** A box in our comment, by its line from 0. */
interface Box {
  readonly line: number;
}

/** A comment with boxes as we stored it. */
interface Boxed<Own extends Box> {
  readonly text: string;
  readonly boxes: readonly Own[];
}

/** Boxes that are ticked in an edited comment, or why the edit does not count. */
export type Ticks<Own extends Box> =
  | { readonly kind: 'ticks'; readonly text: string; readonly ticked: readonly Own[] }
  | { readonly kind: 'changed'; readonly reason: string };

/** GitHub Flavored Markdown, "Task list items". */
const box = /^(\s*[-*+] \[)([ xX])(\])/;

/**
 * Returns the boxes that an edit ticked. It counts if the comment was as we stored it before, and
 * only our boxes differ now. Otherwise a tick by someone without the right could be carried along.
 * Pure.
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
 * Returns the ticks of a comment that differs from ours only inside our boxes; null for any other.
 * Line ends and trailing white space do not count, since GitHub's editor changes them.
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

/** Returns the boxes that are ticked in the stored comment. */
export function tickedBoxes<Own extends Box>({ text, boxes }: Boxed<Own>): readonly Own[] {
  const lines = text.split('\n');
  return boxes.filter(({ line }) => isTicked(lines[line] ?? ''));
}

/** Returns the comment with exactly these boxes ticked. */
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

/**
 * Returns the one box that an edit ticked, also if others were ticked before; null for any other
 * edit. The comment must be as we wrote it before and after, except for our boxes. Pure.
 */
export function clickedBox<Own extends Box>(posted: Boxed<Own>, { from, body }: EditedComment): Own | null {
  const [before, now] = [compare(posted, from), compare(posted, body)];
  if (before === null || now === null) return null;
  const [clicked, ...more] = now.ticked.filter((one) => !before.ticked.includes(one));
  return more.length === 0 ? (clicked ?? null) : null;
}
