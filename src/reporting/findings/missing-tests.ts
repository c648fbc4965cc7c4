import { parseHunks } from '../diff/git-patch.ts';

const testFile =
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|tests|spec)\.[^/]+$|(?:^|\/)test_[^/]+$/iu;

/**
 * Returns a test for paths: a finding there that tests are missing has to be looked at again, since
 * its file or any test changed. Compares the diffs of a pull request then and now. Pure.
 */
export function mayBeTestedNow(before: string, now: string): (path: string) => boolean {
  const then = new Map(
    parseHunks(before).map(({ path, hunks }) => [path, JSON.stringify(hunks.map(changedTexts))]),
  );
  const changed = parseHunks(now)
    .filter(({ path, hunks }) => then.get(path) !== JSON.stringify(hunks.map(changedTexts)))
    .map(({ path }) => path);
  const isTestChanged = changed.some((path) => testFile.test(path));
  return (path) => isTestChanged || changed.includes(path);
}

type Hunk = ReturnType<typeof parseHunks>[number]['hunks'][number];

const changedTexts = (hunk: Hunk): readonly string[] =>
  hunk.filter(({ kind }) => kind !== 'context').map(({ kind, text }) => `${kind} ${text}`);
