/** Quotes a word for bash if needed, also where it would be taken for an assignment. */
export function quotedWord(word: string): string {
  const plain = /^[\w@%+=:,./-]+$/.test(word) && !/^\w+\+?=/.test(word);
  return plain ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
