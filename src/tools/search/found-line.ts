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
