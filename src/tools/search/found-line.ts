/** One line of a search's answer: a match, or a line around one. */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly match: boolean;
  /** Set on the lines of a match after its first. */
  readonly continued?: true;
}

const shownCharacters = 300;
/** Of these, how many stand before the match. */
const charactersBefore = 100;

/**
 * A piece of at most 300 characters of a line, around the match at `at`, with notes of how much more there
 * is, so that one minified line does not cost the whole answer. A shorter line stays as it is.
 */
export function aroundMatch(line: string, at: number): string {
  if (line.length <= shownCharacters) return line;
  const start = Math.max(0, Math.min(at - charactersBefore, line.length - shownCharacters));
  const after = line.length - start - shownCharacters;
  const before = start === 0 ? '' : `[${start} characters] … `;
  const rest = after === 0 ? '' : ` … [${after} more characters]`;
  // A cut through a pair of surrogates would leave half a character, which is no text.
  return `${before}${line.slice(start, start + shownCharacters).toWellFormed()}${rest}`;
}
