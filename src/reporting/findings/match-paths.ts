import { pathGlobs } from '../../permissions/patterns/match-globs.ts';

/** Whether a path fits one of the globs and none of those that begin with `!`; dot files are files like others. */
export function matchPaths(globs: readonly string[]): (path: string) => boolean {
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const fits = wanted.length === 0 ? () => true : pathGlobs(wanted);
  const falls = unwanted.length === 0 ? () => false : pathGlobs(unwanted);
  return (path) => fits(path) && !falls(path);
}
