import { type Finding, type Severity, severityRank } from '../../contract/findings.ts';
import { countOf, oneLine } from '../text/markdown.ts';

/** Findings that are named; the others are counted. */
const mostNamed = 5;

/**
 * Returns why open findings fail the step, as text for the log; null if none is at least as severe
 * as `review.failOn`. Pure.
 */
export function decideFailure(open: readonly Finding[], failOn: Severity | undefined): string | null {
  if (failOn === undefined) return null;
  const severe = open.filter(({ severity }) => severityRank(severity) >= severityRank(failOn));
  if (severe.length === 0) return null;
  const named = severe
    .slice(0, mostNamed)
    .map(({ path, line, severity, title }) => `${severity}: ${path}:${line}: ${oneLine(title)}`);
  const rest = severe.length > mostNamed ? [`and ${severe.length - mostNamed} more`] : [];
  const why = `${countOf(severe.length, 'open finding')} of severity ${failOn} or more (the input fail_on, or review.failOn).`;
  return [why, ...named, ...rest].join('\n');
}
