/**
 * A path as it is shown in a list of them: one with a line break or another control character stands in quotes as in
 * JSON, so that a name cannot pass for a line of its own.
 */
export function shownPath(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\u0000-\u001f\u007f]/.test(path) ? JSON.stringify(path) : path;
}
