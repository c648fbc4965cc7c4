import { type Finding, type SuggestionCheck, severityRank } from '../../contract/findings.ts';
import { unifiedDiff } from '../../workspace/changes/unified-diff.ts';
import type { NamedFinding } from '../findings/reconcile.ts';
import type { OfferedSuggestion } from '../suggestions/stored-suggestions.ts';
import { checkOf } from '../suggestions/suggestion-checks.ts';
import { linesOf } from '../suggestions/suggestions.ts';

/** A replacement of whole lines, counted from 1, both included. */
interface Replacement {
  readonly finding: Finding;
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
  const byPath = chooseReplacements(findings, checks);
  const patches: string[] = [];
  for (const [path, wanted] of byPath) {
    const text = await readText(path);
    if (text !== null) patches.push(patchOf(path, text, wanted));
  }
  return patches.join('');
}

/**
 * Returns the suggestions of findings by file, the worst finding's first. Omits those that failed,
 * and those for lines that a worse finding changes.
 */
function chooseReplacements(
  findings: readonly Finding[],
  checks: readonly SuggestionCheck[],
): ReadonlyMap<string, readonly Replacement[]> {
  const worstFirst = findings.toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity));
  const byPath = new Map<string, Replacement[]>();
  for (const finding of worstFirst) {
    const wanted = replacementOf(finding, checks);
    if (wanted === null) continue;
    const taken = byPath.get(finding.path) ?? [];
    const overlaps = taken.some(({ first, last }) => wanted.first <= last && first <= wanted.last);
    if (!overlaps) byPath.set(finding.path, [...taken, wanted]);
  }
  return byPath;
}

/**
 * Returns the suggestions of findings that only the summary lists, against the reviewed commit:
 * what the patch of these findings does, one by one.
 */
export async function foldedSuggestions(
  folded: readonly NamedFinding[],
  checks: readonly SuggestionCheck[],
  readText: (path: string) => Promise<string | null>,
): Promise<OfferedSuggestion[]> {
  const ids = new Map(folded.map(({ id, finding }) => [finding, id]));
  const offered: OfferedSuggestion[] = [];
  for (const [path, wanted] of chooseReplacements([...ids.keys()], checks)) {
    const lines = (await readText(path))?.split('\n') ?? [];
    for (const { finding, first, last, after: texts } of wanted) {
      const before = lines.slice(first - 1, last);
      const end = before[0]?.endsWith('\r') === true ? '\r' : '';
      const after = texts.map((line) => line + end);
      const isChange = last <= lines.length && before.join('\n') !== after.join('\n');
      const id = ids.get(finding);
      if (id === undefined || !isChange) continue;
      offered.push({ id, suggestion: { path, firstLine: first, lastLine: last, before, after } });
    }
  }
  return offered;
}

function replacementOf(finding: Finding, checks: readonly SuggestionCheck[]): Replacement | null {
  const { path, side, start_line, line, suggestion } = finding;
  if (suggestion === undefined || side !== 'RIGHT') return null;
  const [first, last] = [Math.min(start_line ?? line, line), Math.max(start_line ?? line, line)];
  const after = linesOf(suggestion);
  const tried = { path, firstLine: first, lastLine: last, before: [], after };
  return checkOf(tried, checks)?.result === 'failed' ? null : { finding, first, last, after };
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
