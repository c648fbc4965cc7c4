import type { FoundLine } from './found-line.ts';
import { shownPath } from './shown-path.ts';

/** Found lines as every grep prints them: `path:line:match`, `path-line-context`, `--` between groups. */
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
