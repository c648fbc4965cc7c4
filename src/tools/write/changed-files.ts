import { isBinary } from '../text/text-file.ts';
import { changedPlaces } from './changed-places.ts';
import type { ProposedFile } from './proposed-change.ts';

/** Maximum files displayed. */
const mostFiles = 5;

/**
 * Renders the changed lines of the files in `paths` (old or new path) below a patch's message.
 * Empty for none.
 */
export function changedFiles(files: readonly ProposedFile[], paths: ReadonlySet<string>): string {
  const named = files.filter(
    ({ path, oldPath }) => paths.has(path) || (oldPath !== undefined && paths.has(oldPath)),
  );
  const shown = named.slice(0, mostFiles).flatMap(({ path, before, after }) => {
    if (before === null || after === null || isBinary(after.content)) return [];
    const places = changedPlaces(before.content.toString('utf8'), after.content.toString('utf8'));
    return places === '' ? [] : [`${path}:\n${places}`];
  });
  const rest = named.length > mostFiles ? [`[${named.length - mostFiles} more files]`] : [];
  return [...shown, ...rest].map((part) => `\n${part}`).join('');
}
