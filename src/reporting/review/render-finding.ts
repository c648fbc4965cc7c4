import { type Finding, severityRank } from '../../contract/findings.ts';
import type { LinkTarget } from '../../contract/plan.ts';
import { codeBlock, codeSpan, countOf, cutText, oneLine } from '../text/markdown.ts';
import { hostsOf, publicCut, publicText } from '../text/public-text.ts';

const longestBody = 20_000;

/** The facts about a finding's placement that its text mentions. */
interface FindingContext {
  /** The finding's own line, if the comment had to be on another. */
  readonly statedLine: number | null;
  /** True when `suggestion` may be offered as one that GitHub applies with a click. */
  readonly applicable: boolean;
  /** The result of trying it, as a line. Default: ''. */
  readonly checked?: string;
  /** Why its suggestion is omitted, as a line. Default: ''. */
  readonly omitted?: string;
}

/** Renders a finding as an inline comment without its marker: severity, title, text, suggestion. */
export function renderFinding(finding: Finding, context: FindingContext, plan: LinkTarget): string {
  const parts = [
    `**${finding.severity}** · ${renderFindingTitle(finding)}`,
    context.statedLine === null ? '' : `About line ${context.statedLine}, which is not part of this diff.`,
    bodyOf(finding, plan),
    suggestionOf(finding, context.applicable),
    finding.suggestion === undefined ? (context.omitted ?? '') : (context.checked ?? ''),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * One finding as an item of a list, with a link to its line at the reviewed head. `state` follows
 * the severity.
 */
export function renderFindingLine(finding: Finding, plan: LinkTarget, state = ''): string {
  const body = bodyOf(finding, plan).replaceAll('\n', '\n  ');
  return `- **${finding.severity}**${state} · ${locationLink(finding, plan)} ${renderFindingTitle(finding)}\n\n  ${body}`;
}

/** `[src/a.ts:7](…/blob/<sha>/src/a.ts#L7)`; a finding on the old side links to the base. */
export function locationLink(
  finding: Pick<Finding, 'path' | 'side' | 'line' | 'start_line'>,
  plan: LinkTarget,
): string {
  const root = plan.repository.clone_url.replace(/\.git$/u, '');
  const sha = finding.side === 'LEFT' ? (plan.checkout.base_sha ?? plan.checkout.sha) : plan.checkout.sha;
  const path = finding.path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const anchor =
    finding.start_line === undefined ? `L${finding.line}` : `L${finding.start_line}-L${finding.line}`;
  const label = codeSpan(`${finding.path}:${finding.line}`);
  return `[${label}](${root}/blob/${sha}/${path.replaceAll('(', '%28').replaceAll(')', '%29')}#${anchor})`;
}

/** The title of a finding on one line, neutralised. */
export function renderFindingTitle(finding: Finding): string {
  return publicCut(oneLine(finding.title), 300, '…');
}

function bodyOf(finding: Finding, plan: LinkTarget): string {
  const check =
    finding.check === undefined ? '' : `\n\nChecked by: ${codeSpan(cutText(finding.check, 300, '…'))}`;
  return publicCut(finding.body.trim(), longestBody, '\n\n[cut]', hostsOf(plan)) + check;
}

function suggestionOf(finding: Finding, applicable: boolean): string {
  if (finding.suggestion === undefined) return '';
  if (applicable) return codeBlock(finding.suggestion.replaceAll('\r\n', '\n'), 'suggestion');
  return `What it could be instead:\n\n${codeBlock(finding.suggestion)}`;
}

/** Returns the findings that a text of ours does not list. */
export function unlistedFindings(findings: readonly Finding[], text: string, plan: LinkTarget): Finding[] {
  return findings.filter((finding) => !text.includes(renderFindingLine(finding, plan)));
}

/** Sorts findings for people: worst first, then by place. */
export function compareFindings(a: Finding, b: Finding): number {
  const byPath = Number(a.path > b.path) - Number(a.path < b.path);
  return severityRank(b.severity) - severityRank(a.severity) || byPath || a.line - b.line;
}

/** Findings as a table, worst first, as many as fit into `budget` characters; '' without any. */
export function renderFindingsTable(findings: readonly Finding[], plan: LinkTarget, budget: number): string {
  if (findings.length === 0) return '';
  const rest = (count: number) => `\n\n… and ${countOf(count, 'more finding')}`;
  let table = '| Severity | Where | Finding | Category |\n| --- | --- | --- | --- |';
  let count = 0;
  for (const finding of findings.toSorted(compareFindings)) {
    const cells = [
      finding.severity,
      locationLink(finding, plan),
      publicText(cutText(oneLine(finding.title), 300, '…')),
      publicText(cutText(oneLine(finding.category), 60, '…')),
    ];
    const row = `\n| ${cells.map(cell).join(' | ')} |`;
    if (table.length + row.length + rest(findings.length).length > budget) break;
    table += row;
    count += 1;
  }
  if (count === 0) return '';
  return count === findings.length ? table : table + rest(findings.length - count);
}

/** A bar would begin the next cell, also within code (GFM, "Tables"). */
const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|');
