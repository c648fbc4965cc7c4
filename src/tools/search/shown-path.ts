/** Quotes a path with control characters as JSON, as it could look like several lines. */
export function shownPath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}
