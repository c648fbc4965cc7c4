import type { Config } from '../../config/schema.ts';
import { type Finding, severityRank } from '../../contract/findings.ts';
import { pathGlobs } from '../../permissions/patterns/path-globs.ts';
import type { HunkMap } from '../diff/hunk-map.ts';
import { onCommentableSide } from '../diff/place-finding.ts';

type Settings = NonNullable<Config['review']>;

/** Returns a test for reviewed paths: within `review.paths`, if set, and not in `review.ignore`. */
export function reviewedPaths({ paths, ignore }: Settings): (path: string) => boolean {
  const within = paths?.length ? matchPaths(paths) : () => true;
  const without = ignore?.length ? matchPaths(ignore) : () => false;
  return (path) => within(path) && !without(path);
}

/** Returns the findings that the configuration wants reported, with GitHub's paths and sides. */
export function reportableFindings(
  findings: readonly Finding[],
  settings: Settings,
  map: HunkMap,
): Finding[] {
  const least = severityRank(settings.minSeverity ?? 'info');
  const isReviewed = reviewedPaths(settings);
  return findings
    .filter(({ severity, path }) => severityRank(severity) >= least && isReviewed(map.resolve(path) ?? path))
    .map((finding) => {
      const path = map.resolve(finding.path) ?? finding.path;
      const { side, first, last } = onCommentableSide(finding, path, map);
      return { ...finding, path, side, line: last, start_line: first < last ? first : undefined };
    });
}

/**
 * Returns a test for globs: at least one matches, and none that begins with `!`. Includes dot
 * files.
 */
export function matchPaths(globs: readonly string[]): (path: string) => boolean {
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const fits = wanted.length === 0 ? () => true : pathGlobs(wanted);
  const falls = unwanted.length === 0 ? () => false : pathGlobs(unwanted);
  return (path) => fits(path) && !falls(path);
}
