/** Returns git's mode of a regular file from its permission bits. */
export function gitMode(mode: number): string {
  return (mode & 0o100) === 0 ? '100644' : '100755';
}
