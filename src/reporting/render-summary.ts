import type { Outcome } from '../contract/outcome.ts';
import { renderReport } from './render-report.ts';
import type { ReportContext } from './report-context.ts';

/** GitHub Docs, "Workflow commands": a step's summary is at most 1 MiB; characters may take four bytes. */
const maximumSummary = 250_000;

/** The summary of a workflow's job: the report, with room for what a comment has to cut. */
export function renderSummary(outcome: Outcome, context: ReportContext): string {
  return `${renderReport(outcome, context, maximumSummary)}\n`;
}
