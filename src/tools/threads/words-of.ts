/** The words of a text that say something, in small letters, each once; the number of a thread (`#7`) is one. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/#\d+|[\p{L}\p{N}_]{2,}/gu) ?? [])];
}

/** How many of the words a text has. */
export function countWords(text: string, words: readonly string[]): number {
  const low = text.toLowerCase();
  return words.filter((word) => low.includes(word)).length;
}
