import type { Finding } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { severityRank } from '../findings/severity-rank.ts';
import { countOf, cutText, oneLine } from '../text/markdown.ts';
import { publicText } from '../text/public-text.ts';
import { placeLink, renderFindingLine } from './render-finding.ts';

/** The findings that a text of ours does not list: those that stand on lines, and those it had no room for. */
export function untoldFindings(findings: readonly Finding[], text: string, plan: RunPlan): Finding[] {
  return findings.filter((finding) => !text.includes(renderFindingLine(finding, plan)));
}

/** Findings as a table, worst first, as many as fit into `room` characters; '' without any. */
export function renderFindingsTable(findings: readonly Finding[], plan: RunPlan, room: number): string {
  if (findings.length === 0) return '';
  const rest = (count: number) => `\n\n… and ${countOf(count, 'more finding')}`;
  let table = '| Severity | Where | Finding | Category |\n| --- | --- | --- | --- |';
  let shown = 0;
  for (const finding of findings.toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity))) {
    const cells = [
      finding.severity,
      placeLink(finding, plan),
      publicText(cutText(oneLine(finding.title), 300, '…')),
      publicText(cutText(oneLine(finding.category), 60, '…')),
    ];
    const row = `\n| ${cells.map(cell).join(' | ')} |`;
    if (table.length + row.length + rest(findings.length).length > room) break;
    table += row;
    shown += 1;
  }
  if (shown === 0) return '';
  return shown === findings.length ? table : table + rest(findings.length - shown);
}

/** A bar would begin the next cell, also within code (GFM, "Tables"). */
const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|');
