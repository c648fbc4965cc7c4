import type { FoundLine } from './found-line.ts';
import { shownPath } from './shown-path.ts';

/** Renders lines as grep does: `path:line:match`, `path-line-context`, `--` between groups. */
export function renderFoundLines(lines: readonly FoundLine[], context: number): string {
  const rendered: string[] = [];
  let previous: FoundLine | undefined;
  for (const found of lines) {
    const apart = previous !== undefined && (previous.path !== found.path || previous.line + 1 < found.line);
    if (context > 0 && apart) rendered.push('--');
    const mark = found.match ? ':' : '-';
    rendered.push(`${shownPath(found.path)}${mark}${found.line}${mark}${found.text}`);
    previous = found;
  }
  return rendered.join('\n');
}

/** The lines that fit, and the number of omitted matches per file. */
export interface FittedLines {
  readonly shown: readonly FoundLine[];
  readonly left: ReadonlyMap<string, number>;
}

/** Takes lines from the first on until the characters are used up; at least one. */
export function fitLines(lines: readonly FoundLine[], characters: number): FittedLines {
  let used = 0;
  const end = lines.findIndex(({ path, text }, index) => {
    used += path.length + text.length + 8;
    return index > 0 && used > characters;
  });
  if (end === -1) return { shown: lines, left: new Map() };
  const left = new Map<string, number>();
  for (const { path, match, continued } of lines.slice(end)) {
    if (match && continued !== true) left.set(path, (left.get(path) ?? 0) + 1);
  }
  return { shown: lines.slice(0, end), left };
}
