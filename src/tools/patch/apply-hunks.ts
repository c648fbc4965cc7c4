import type { TextFile } from '../text/text-file.ts';
import { lineEndingOf } from '../text/text-file.ts';
import type { Hunk } from './file-patch.ts';
import { locateHunk } from './locate-hunk.ts';

/**
 * A file with all hunks of a patch applied, or a `ToolError` and nothing. Kept lines stay as the file has
 * them; added ones end as the file's do. Where the patch does not say how the file ends, it ends as before.
 */
export function applyHunks(path: string, file: TextFile, hunks: readonly Hunk[]): TextFile {
  const ending = lineEndingOf(file.text) === '\r\n' ? '\r' : '';
  const raw = file.text === '' ? [] : file.text.split('\n');
  let finalNewline = raw.at(-1) === '' || raw.length === 0;
  if (raw.at(-1) === '') raw.pop();
  const bare = raw.map((line) => line.replace(/\r$/, ''));

  const result: string[] = [];
  let taken = 0;
  let shift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const place = locateHunk(path, bare, hunk, {
      from: taken,
      shift,
      number: index + 1,
      count: hunks.length,
    });
    result.push(...raw.slice(taken, place));
    taken = place;
    for (const line of hunk.lines) {
      if (line.mark === '+') {
        result.push(line.text.replace(/\r$/, '') + ending);
        continue;
      }
      if (line.mark === ' ') result.push(raw[taken] ?? '');
      taken += 1;
    }
    const kept = hunk.lines.filter((line) => line.mark !== '+');
    if (hunk.line !== null) shift = place - (kept.length === 0 ? hunk.line : hunk.line - 1);
    if (hunk.finalNewline !== null && (hunk.finalNewline || taken === raw.length))
      finalNewline = hunk.finalNewline;
  }
  result.push(...raw.slice(taken));
  return { ...file, text: joined(result, finalNewline, ending) };
}

function joined(lines: readonly string[], finalNewline: boolean, ending: string): string {
  const last = lines.at(-1);
  if (last === undefined) return '';
  const bare = last.replace(/\r$/, '');
  // A last line that had no newline before gets the file's, carriage return and all.
  const end = finalNewline ? `${last.endsWith('\r') ? '\r' : ending}\n` : '';
  return [...lines.slice(0, -1), bare].join('\n') + end;
}
