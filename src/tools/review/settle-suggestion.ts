import type { Finding } from '../../contract/findings.ts';
import { smallest } from '../../contract/lists.ts';

/** A finding with its final suggestion, and a note for the model. */
export interface SettledFinding {
  readonly finding: Finding;
  /** Null if there is nothing to say. */
  readonly note: string | null;
}

/**
 * Normalises a suggestion: the lines inside a fence if it is only a fence; none for a deleted line,
 * or if it equals the existing lines. `standing`: the lines it replaces, null if unknown. `apart`:
 * the diff does not show all of them, and GitHub accepts suggestions for shown lines only.
 */
export function settleSuggestion(
  finding: Finding,
  standing: readonly string[] | null,
  apart: boolean,
): SettledFinding {
  const { suggestion, ...rest } = finding;
  if (suggestion === undefined) return { finding, note: null };
  if (finding.side === 'LEFT')
    return { finding: rest, note: 'its suggestion is left out: a deleted line cannot be replaced' };
  const text = unfenced(suggestion, finding.path);
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (standing !== null && lines.join('\n') === standing.join('\n'))
    return { finding: rest, note: 'its suggestion is left out: it is what these lines say already' };
  const note = apart
    ? 'its lines are not all in one part of the diff, so its suggestion can only be shown; take lines of one part'
    : standing && shiftOf(lines, standing);
  return { finding: { ...finding, suggestion: text }, note };
}

/** Returns the text inside a surrounding fence; in Markdown only GitHub's suggestion fence. */
function unfenced(text: string, path: string): string {
  const [, fence = '', info = '', inner = ''] =
    /^\s*?(`{3,}|~{3,})([^\n`]*)\r?\n([\s\S]*?)\r?\n?[ \t]*\1[ \t]*\s*$/.exec(text) ?? [];
  if (fence === '' || inner.includes(fence)) return text;
  return /\.(md|mdx|markdown)$/i.test(path) && info.trim() !== 'suggestion' ? text : inner;
}

/** Warns about lost indentation, which is rarely intended: a suggestion replaces whole lines. */
function shiftOf(lines: readonly string[], standing: readonly string[]): string | null {
  const [now, before] = [least(lines), least(standing)];
  if (now !== 0 || before === 0 || before === null) return null;
  return `its suggestion replaces whole lines: it is not indented, and they are by ${before}. If that is not meant, report the whole list again`;
}

/** Returns the common indentation of non-blank lines; null without any. */
function least(lines: readonly string[]): number | null {
  const widths = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  return widths.length === 0 ? null : smallest(widths);
}
