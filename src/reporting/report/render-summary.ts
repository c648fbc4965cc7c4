import type { Finding } from '../../contract/findings.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { renderFindingsTable, unlistedFindings } from '../review/render-finding.ts';
import { closedMarkdown, uncutCode } from '../text/markdown.ts';
import type { ReportContext } from './published.ts';
import { renderReport } from './render-report.ts';

/**
 * A step's summary holds 1 MiB, or all of it is lost. Other text of the step counts too. See GitHub
 * Docs, "Workflow commands".
 */
const maximumBytes = 1_000_000;
/** In characters, each of which may take four bytes. */
const maximumReport = 200_000;
const maximumTable = 40_000;

/**
 * Renders the summary of a workflow's job: the report, and a table of findings that it does not
 * list.
 */
export function renderSummary(outcome: Outcome, context: ReportContext): string {
  return renderPostedSummary(renderReport(outcome, context, maximumReport), outcome.findings, context.plan);
}

/**
 * Renders the summary of a posted report. `additional` are sentences that no report holds, such
 * as why posting failed.
 */
export function renderPostedSummary(
  report: string,
  findings: readonly Finding[],
  plan: RunPlan,
  additional: readonly string[] = [],
): string {
  const table = renderFindingsTable(unlistedFindings(findings, report, plan), plan, maximumTable);
  const notes = additional.length === 0 ? [] : [additional.map((text) => `- ${text}`).join('\n')];
  const parts = [...notes, closedMarkdown(report), ...(table === '' ? [] : ['### Findings', table])];
  return `${cutBytes(parts.join('\n\n'), maximumBytes)}\n`;
}

/** Cuts Markdown to UTF-8 bytes, without half a character at its end. */
export function cutBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  const note = '\n\n[cut]';
  // Closing what the cut leaves open takes a few fences at most.
  const start = encoded
    .subarray(0, bytes - 10_000)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
  return closedMarkdown(uncutCode(start) + note);
}
