import type { Box, PostedBoxes } from '../contract/posted-boxes.ts';

/** An edited comment of ours: which boxes are ticked now, or that something else was changed. */
export type Ticks =
  | { readonly kind: 'ticks'; readonly text: string; readonly ticked: readonly Box[] }
  | { readonly kind: 'changed' };

/** GitHub Flavored Markdown, "Task list items". */
const box = /^(\s*[-*+] \[)([ xX])(\])/;

/**
 * Compares a comment with boxes to what we know of it. All that may differ is what stands between the brackets of our own
 * boxes; line ends and white space at the end, which GitHub's editor changes, do not count. Pure.
 */
export function readTicks(posted: Pick<PostedBoxes, 'text' | 'boxes'>, body: string): Ticks {
  const before = linesOf(posted.text);
  const after = linesOf(body);
  if (before.length !== after.length) return { kind: 'changed' };
  const ours = new Set(posted.boxes.map(({ line }) => line));
  const same = before.every((line, index) => {
    const now = after[index] ?? '';
    return line === now || (ours.has(index) && emptied(line) === emptied(now));
  });
  if (!same) return { kind: 'changed' };
  const ticked = posted.boxes.filter(({ line }) => isTicked(after[line] ?? ''));
  return { kind: 'ticks', text: setTicks(posted, ticked), ticked };
}

/** The boxes that are ticked in the comment as we know it. */
export function tickedBoxes({ text, boxes }: Pick<PostedBoxes, 'text' | 'boxes'>): readonly Box[] {
  const lines = text.split('\n');
  return boxes.filter(({ line }) => isTicked(lines[line] ?? ''));
}

/** The comment with exactly these boxes ticked. */
export function setTicks(
  { text, boxes }: Pick<PostedBoxes, 'text' | 'boxes'>,
  ticked: readonly Box[],
): string {
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
