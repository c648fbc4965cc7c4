/** A word as bash reads it back, quoted where it has to be: also where it would be taken for an assignment. */
export function quotedWord(word: string): string {
  const plain = /^[\w@%+=:,./-]+$/.test(word) && !/^\w+\+?=/.test(word);
  return plain ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
