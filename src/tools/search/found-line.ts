/** One line of a search result: a match or its context. */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly match: boolean;
  /** Set on the lines of a match after its first. */
  readonly continued?: true;
}

const shownCharacters = 300;
/** Characters of these before the match. */
const charactersBefore = 100;

/** Returns at most 300 characters of a line around offset `at`, with notes on the rest. */
export function aroundMatch(line: string, at: number): string {
  if (line.length <= shownCharacters) return line;
  const start = Math.max(0, Math.min(at - charactersBefore, line.length - shownCharacters));
  const after = line.length - start - shownCharacters;
  const before = start === 0 ? '' : `[${start} characters] … `;
  const rest = after === 0 ? '' : ` … [${after} more characters]`;
  // A cut through a surrogate pair would leave half a character.
  return `${before}${line.slice(start, start + shownCharacters).toWellFormed()}${rest}`;
}

/** Quotes a path with control characters as JSON, as it could look like several lines. */
export function displayPath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}

/** Renders lines as grep does: `path:line:match`, `path-line-context`, `--` between groups. */
export function renderFoundLines(lines: readonly FoundLine[], context: number): string {
  const rendered: string[] = [];
  let previous: FoundLine | undefined;
  for (const found of lines) {
    const apart = previous !== undefined && (previous.path !== found.path || previous.line + 1 < found.line);
    if (context > 0 && apart) rendered.push('--');
    const mark = found.match ? ':' : '-';
    rendered.push(`${displayPath(found.path)}${mark}${found.line}${mark}${found.text}`);
    previous = found;
  }
  return rendered.join('\n');
}

/** The lines that fit, and the number of omitted matches per file. */
interface FittingLines {
  readonly shown: readonly FoundLine[];
  readonly left: ReadonlyMap<string, number>;
}

/** Takes lines from the first on until the characters are used up; at least one. */
export function fitLines(lines: readonly FoundLine[], characters: number): FittingLines {
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

/** Compares locations by path and line; other repositories (`../`) come after the workspace. */
export function byLocation(
  a: { readonly path: string; readonly line: number; readonly column?: number },
  b: { readonly path: string; readonly line: number; readonly column?: number },
): number {
  const outside = Number(a.path.startsWith('../')) - Number(b.path.startsWith('../'));
  if (outside !== 0) return outside;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
