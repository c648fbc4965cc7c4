import type { ControlName, Controls } from '../contract/controls.ts';
import type { CommentEdit } from './comment-edited.ts';

/**
 * The control that an edit ticked: before it the comment was what we wrote, and after it the same but for that one box. Null
 * for any other edit. Line ends and white space at the end, which GitHub's editor changes, do not count. Pure.
 */
export function readPress(controls: Controls, { comment, before }: CommentEdit): ControlName | null {
  const known = plain(controls.text);
  if (before === null || plain(before) !== known) return null;
  const now = plain(comment.body);
  const ticked = controls.boxes.filter(({ line }) => {
    const lines = known.split('\n');
    lines[line] = (lines[line] ?? '').replace('- [ ]', '- [x]');
    return lines.join('\n') === now.replace(/^- \[X\]/gmu, '- [x]');
  });
  return ticked.length === 1 ? (ticked[0]?.does ?? null) : null;
}

const plain = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
