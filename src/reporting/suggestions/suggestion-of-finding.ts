import type { Finding } from '../../contract/findings.ts';
import type { HunkMap } from '../diff/hunk-map.ts';
import type { Placement } from '../diff/place-finding.ts';
import type { Suggestion } from './suggestions.ts';

/** The lines of a text; the line end that closes the last one opens no further line. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** A finding's own change of the lines it stands on: `none` without one, or where it leaves them as they are. */
export type OwnSuggestion =
  | { readonly kind: 'suggestion'; readonly suggestion: Suggestion }
  /** It can only be told in words: it is about other lines, deleted ones, or such with carriage returns, which GitHub loses. */
  | { readonly kind: 'words' }
  | { readonly kind: 'none' };

/** What of a finding's `suggestion` can be offered where its comment stands. */
export function suggestionOfFinding(
  finding: Finding,
  placement: Extract<Placement, { kind: 'line' }>,
  map: HunkMap,
): OwnSuggestion {
  if (finding.suggestion === undefined) return { kind: 'none' };
  if (!placement.exact || placement.side !== 'RIGHT') return { kind: 'words' };
  const { path, line: lastLine, startLine: firstLine = lastLine } = placement;
  const before: string[] = [];
  for (let line = firstLine; line <= lastLine; line++) {
    const text = map.text(path, 'RIGHT', line);
    if (text === null) return { kind: 'words' };
    before.push(text);
  }
  const after = linesOf(finding.suggestion);
  if (same(before.map(withoutReturn), after)) return { kind: 'none' };
  if (before.some((text) => text.endsWith('\r'))) return { kind: 'words' };
  return { kind: 'suggestion', suggestion: { path, firstLine, lastLine, before, after } };
}

const withoutReturn = (text: string): string => text.replace(/\r$/u, '');

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, index) => line === b[index]);
