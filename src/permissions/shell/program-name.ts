/** The name of a program without the folders before it. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
