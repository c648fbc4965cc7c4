import { nearNames } from '../../workspace/files/near-names.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { escapeRegex } from '../search/escape-regex.ts';
import type { SearchRoot } from '../search/search-root.ts';
import { searchText } from '../search/search-text.ts';

/**
 * Returns at most six words that the name may have been meant for, likeliest first. They differ in
 * case or by a few typing mistakes, or contain the name.
 */
export async function suggestWords(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const words = await wordsLike(workspace, roots, name, signal);
  const lower = name.toLowerCase();
  const sameLetters = words.filter((word) => word.toLowerCase() === lower);
  const parts = name.length < 4 ? [] : words.filter((word) => word.toLowerCase().includes(lower));
  const longer = parts.sort((a, b) => a.length - b.length).slice(0, 3);
  return [...new Set([...sameLetters, ...nearNames(name, words), ...longer])]
    .filter((word) => word !== name)
    .slice(0, 6);
}

/** Finds words that start or end as the name does, or contain it. */
async function wordsLike(
  workspace: Workspace,
  roots: readonly SearchRoot[],
  name: string,
  signal: AbortSignal,
): Promise<string[]> {
  const ends = name.length < 4 ? [name] : [name.slice(0, 3), name.slice(-3)];
  const either = `(${ends.map(escapeRegex).join('|')})`;
  const query = {
    pattern: `[A-Za-z0-9_]*${either}[A-Za-z0-9_]*`,
    regex: true,
    caseSensitive: false,
    wordMatch: false,
    glob: undefined,
    maxMatches: 20,
    context: 0,
  };
  const { lines } = await searchText(workspace, roots, query, signal);
  const like = new RegExp(either, 'i');
  const words = lines.flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]{0,99}/gu) ?? []);
  return [...new Set(words)].filter((word) => like.test(word));
}
