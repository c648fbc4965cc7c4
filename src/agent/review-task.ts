import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';
import type { Finding } from '../contract/findings.ts';

/** How much of a diff goes into the first message, in bytes; the rest is named and can be read. */
const diffBudget = 160 * 1024;

/**
 * The task of a review run: the diff with the line numbers that findings refer to (`R` new side, `L` old
 * side). Files that no longer fit are listed, so that nothing is left out silently. `checked` is what was found
 * without a model, which the reviewer need not tell again.
 */
export function renderReviewTask(diff: string, request: string, checked: readonly Finding[] = []): string {
  // For an empty text the parser gives one patch of nothing.
  const files = parsePatch(diff).filter((file) => pathOf(file) !== '');
  const shown: string[] = [];
  const left: string[] = [];
  let size = 0;
  for (const file of files) {
    const text = renderFile(file);
    if (size + Buffer.byteLength(text) > diffBudget) left.push(pathOf(file));
    else {
      size += Buffer.byteLength(text);
      shown.push(text);
    }
  }
  const rest =
    left.length === 0
      ? ''
      : `\n\nToo large to show here, ${left.length} more changed files; read them: ${left.join(', ')}`;
  const body = files.length === 0 ? 'The diff is empty.' : shown.join('\n\n');
  return `${request}\n\nThe change under review (R: line of the new file, L: line of the old file):\n<diff>\n${body}${rest}\n</diff>${alreadyFound(checked)}`;
}

/** Of more findings than these the reviewer learns the number only. */
const mostTold = 50;

function alreadyFound(checked: readonly Finding[]): string {
  if (checked.length === 0) return '';
  const lines = checked
    .slice(0, mostTold)
    .map(
      ({ path, line, title, check }) =>
        `- ${JSON.stringify(path)}:${line} ${title.replaceAll(/\s+/g, ' ').slice(0, 200)} (${check ?? 'check'})`,
    );
  const more = checked.length > mostTold ? [`- and ${checked.length - mostTold} more`] : [];
  return `\n\nChecks have found this already, and it is reported without you; do not report it again:\n${[...lines, ...more].join('\n')}`;
}

/** The path a changed file has now, or had when it was deleted. */
function pathOf(file: StructuredPatch): string {
  const name = file.isDelete === true ? file.oldFileName : file.newFileName;
  return (name ?? '').replace(/^[ab]\//, '');
}

function renderFile(file: StructuredPatch): string {
  const how = file.isCreate ? 'added' : file.isDelete ? 'deleted' : file.isRename ? 'renamed' : 'changed';
  const from = file.isRename ? ` from ${(file.oldFileName ?? '').replace(/^a\//, '')}` : '';
  const body = file.hunks.length === 0 ? '(no text to show)' : file.hunks.map(renderHunk).join('\n…\n');
  return `## ${pathOf(file)} (${how}${from})\n${body}`;
}

function renderHunk(hunk: StructuredPatchHunk): string {
  let [before, after] = [hunk.oldStart, hunk.newStart];
  return hunk.lines
    .filter((line) => !line.startsWith('\\'))
    .map((line) => {
      if (line.startsWith('-')) return `L${before++} ${line}`;
      if (line.startsWith('+')) return `R${after++} ${line}`;
      before += 1;
      return `R${after++} ${line}`;
    })
    .join('\n');
}
