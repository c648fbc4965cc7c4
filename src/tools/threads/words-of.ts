/** Returns the words of a text in lower case, each once, and thread numbers (`#7`). */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/#\d+|[\p{L}\p{N}_]{2,}/gu) ?? [])];
}

/** Counts the words that a text contains. */
export function countWords(text: string, words: readonly string[]): number {
  const low = text.toLowerCase();
  return words.filter((word) => low.includes(word)).length;
}
