import type { Finding } from '../../contract/findings.ts';
import { normaliseWords } from './fingerprint.ts';

/**
 * Whether checks found the same as a model says: they share lines of a file, and its words name the check or its
 * category, or have the check's title. Fingerprints, which know the text of the lines, do the rest on GitHub.
 */
export function isToldBy(checked: readonly Finding[], finding: Finding): boolean {
  const category = normaliseWords(finding.category);
  const title = normaliseWords(finding.title);
  return checked.some((one) => {
    const apart = one.path !== finding.path || one.side !== finding.side;
    if (apart || firstOf(one) > finding.line || firstOf(finding) > one.line) return false;
    return (
      finding.check === one.check ||
      category === normaliseWords(one.check ?? one.category) ||
      title.includes(normaliseWords(one.title)) ||
      (one.line === finding.line && category === normaliseWords(one.category))
    );
  });
}

const firstOf = ({ start_line, line }: Finding): number => start_line ?? line;
