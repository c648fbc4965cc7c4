import { createHash } from 'node:crypto';
import type { Finding } from '../../contract/findings.ts';
import { normaliseWords } from '../../contract/normalise-words.ts';
import type { Suggestion } from '../suggestions/suggestions.ts';
import { contextOf, type LineContext, type LineSource } from './line-context.ts';

/** Returns the id of a finding that no review named, from a source. For SARIF only. */
export function fingerprintFinding(finding: Finding, source: LineSource): string {
  return fingerprintContext(finding, contextOf(finding, source));
}

/**
 * Returns an id for a finding that survives pushes, rebases and moved lines. It hashes the path,
 * the category, the text without white space, and the number of equal texts above. The title
 * replaces an unknown text.
 */
export function fingerprintContext(
  { path, category, title }: Pick<Finding, 'path' | 'category' | 'title'>,
  { anchor, occurrence }: Pick<LineContext, 'anchor' | 'occurrence'>,
): string {
  const context = anchor === '' ? `title:${normaliseWords(title)}` : `lines:${anchor}`;
  return digest(['finding', path, normaliseWords(category), context, String(occurrence)]);
}

/** A name for a suggested change: what it replaces where, by what. */
export function fingerprintSuggestion({ path, before, after }: Suggestion): string {
  return digest(['suggestion', path, before.join('\n'), after.join('\n')]);
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/**
 * True if a check reported the same as a model. They share lines of a file, and the model's text
 * has the check's name, category or title. Other duplicates are found by fingerprints, which know
 * the text of the lines.
 */
export function isReportedBy(checked: readonly Finding[], finding: Finding): boolean {
  const category = normaliseWords(finding.category);
  const title = normaliseWords(finding.title);
  return checked.some((one) => {
    const elsewhere = one.path !== finding.path || one.side !== finding.side;
    if (elsewhere || firstOf(one) > finding.line || firstOf(finding) > one.line) return false;
    return (
      finding.check === one.check ||
      category === normaliseWords(one.check ?? one.category) ||
      title.includes(normaliseWords(one.title)) ||
      (one.line === finding.line && category === normaliseWords(one.category))
    );
  });
}

const firstOf = ({ start_line, line }: Finding): number => start_line ?? line;
