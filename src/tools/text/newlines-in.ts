/** Counts the newlines of a text. */
export function newlinesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) count += 1;
  return count;
}
