import { type Finding, severityRank } from '../../contract/findings.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { codeSpan, countOf, oneLine } from '../text/markdown.ts';
import { publicText } from '../text/public-text.ts';

/** Worst first, then in the order of the files. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) =>
      severityRank(b.severity) - severityRank(a.severity) ||
      Number(a.path > b.path) - Number(a.path < b.path) ||
      a.line - b.line,
  );
}

/** `3 findings: 1 high, 2 low`. */
function countFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No findings';
  const kinds = [...new Set(worstFirst(findings).map(({ severity }) => severity))].map(
    (kind) => `${findings.filter(({ severity }) => severity === kind).length} ${kind}`,
  );
  return `${countOf(findings.length, 'finding')}: ${kinds.join(', ')}`;
}

/**
 * Renders a review for a terminal: `path:line severity title [check]`, text, suggestion, and last
 * the answer. Removes control characters.
 */
export function renderReviewText(findings: readonly Finding[], answer = ''): string {
  const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by);
  const parts = worstFirst(findings).map((finding) => {
    const { severity, title, body, check, suggestion } = finding;
    const head = `${locationOf(finding)} ${severity} ${oneLine(title)} [${check ?? 'review'}]`;
    const text = body.trim();
    // A linter has one sentence, which is its title, too.
    const details = oneLine(title).endsWith(text) ? '' : `${indented(text, '    ')}\n`;
    const offered =
      suggestion === undefined ? '' : `    suggested:\n${indented(suggestion.trimEnd(), '      ')}\n`;
    return `${head}\n${details}${offered}`;
  });
  const whole = answer.trim() === '' ? [] : [`${answer.trim()}\n`];
  return stripInvisible([...parts, ...whole, `${countFindings(findings)}\n`].join('\n')).text;
}

/** Renders a review as neutralised Markdown, the answer first. */
export function renderReviewMarkdown(findings: readonly Finding[], answer = ''): string {
  const parts = worstFirst(findings).map((finding) => {
    const { severity, title, body, check, suggestion } = finding;
    const head = `### ${severity}: ${publicText(oneLine(title))}\n\n${codeSpan(locationOf(finding))}, ${check === undefined ? 'review' : `check ${codeSpan(check)}`}`;
    const offered =
      suggestion === undefined ? [] : [`Suggested:\n\n${suggestion.trimEnd().replaceAll(/^/gm, '    ')}`];
    return [head, publicText(body.trim()), ...offered].join('\n\n');
  });
  const whole = answer.trim() === '' ? [] : [publicText(answer.trim())];
  return `${[`## ${countFindings(findings)}`, ...whole, ...parts].join('\n\n')}\n`;
}

/** `path:3-5`; of a deleted line `path:3 (before the change)`. */
function locationOf({ path, side, start_line: start, line }: Finding): string {
  const lines = start === undefined || start >= line ? `${line}` : `${start}-${line}`;
  return `${path}:${lines}${side === 'LEFT' ? ' (before the change)' : ''}`;
}
