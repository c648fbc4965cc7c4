import type { Finding } from '../../contract/findings.ts';
import { parseHunks } from '../diff/git-patch.ts';
import { normaliseWords } from './fingerprint.ts';

const aboutTests =
  /\b(?:untested|test coverage|(?:no|missing|lacks?|lacking|without|needs?|add) (?:\w+ ){0,3}tests?)\b/u;

/**
 * True for a finding that tests are missing. Other files than its own can settle it, so its lines
 * may never change. Pure.
 */
export function isAboutTests({ category, title }: Pick<Finding, 'category' | 'title'>): boolean {
  return /^tests?\b|^testing\b/u.test(normaliseWords(category)) || aboutTests.test(normaliseWords(title));
}

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
