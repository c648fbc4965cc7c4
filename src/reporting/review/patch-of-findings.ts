import { type Finding, type SuggestionCheck, severityRank } from '../../contract/findings.ts';
import { unifiedDiff } from '../../workspace/changes/unified-diff.ts';
import { checkOf } from '../suggestions/suggestion-checks.ts';
import { linesOf } from '../suggestions/suggestions.ts';

/** A replacement of whole lines, counted from 1, both included. */
interface Replacement {
  readonly first: number;
  readonly last: number;
  readonly after: readonly string[];
}

/**
 * Builds one patch from the suggestions of findings, against the reviewed commit; '' if there are
 * none. Of suggestions for the same lines, the worst finding's is taken. Failed suggestions and
 * unreadable files are omitted.
 */
export async function patchOfFindings(
  findings: readonly Finding[],
  checks: readonly SuggestionCheck[],
  readText: (path: string) => Promise<string | null>,
): Promise<string> {
  const worstFirst = findings.toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity));
  const byPath = new Map<string, Replacement[]>();
  for (const finding of worstFirst) {
    const wanted = replacementOf(finding, checks);
    if (wanted === null) continue;
    const taken = byPath.get(finding.path) ?? [];
    const overlaps = taken.some(({ first, last }) => wanted.first <= last && first <= wanted.last);
    if (!overlaps) byPath.set(finding.path, [...taken, wanted]);
  }
  const patches: string[] = [];
  for (const [path, wanted] of byPath) {
    const text = await readText(path);
    if (text !== null) patches.push(patchOf(path, text, wanted));
  }
  return patches.join('');
}

function replacementOf(
  { path, side, start_line, line, suggestion }: Finding,
  checks: readonly SuggestionCheck[],
): Replacement | null {
  if (suggestion === undefined || side !== 'RIGHT') return null;
  const [first, last] = [Math.min(start_line ?? line, line), Math.max(start_line ?? line, line)];
  const after = linesOf(suggestion);
  const tried = { path, firstLine: first, lastLine: last, before: [], after };
  return checkOf(tried, checks)?.result === 'failed' ? null : { first, last, after };
}

function patchOf(path: string, text: string, wanted: readonly Replacement[]): string {
  let lines = text.split(/(?<=\n)/u);
  // From the end, so that the numbers of the lines above stay.
  for (const { first, last, after } of wanted.toSorted((a, b) => b.first - a.first)) {
    if (last > lines.length) continue;
    const end = /\r?\n$/u.exec(lines[last - 1] ?? '')?.[0] ?? '\n';
    lines = [...lines.slice(0, first - 1), ...after.map((line) => line + end), ...lines.slice(last)];
  }
  const state = (content: string) => ({ content: Buffer.from(content), mode: 0o644 });
  const after = lines.join('');
  return after === text ? '' : unifiedDiff({ path, before: state(text), after: state(after) });
}
