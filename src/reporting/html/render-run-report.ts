import { createHash } from 'node:crypto';
import type { Finding } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { Todo } from '../../contract/run-results.ts';
import { brief, type Html, html, htmlBytes, joined } from './html.ts';
import type { PageContext, RunReport } from './page-context.ts';
import { pageStyle } from './page-style.ts';
import { renderFinalChanges } from './render-changes.ts';
import { renderCharts } from './render-chart.ts';
import { renderDisplay } from './render-display.ts';
import { conclusionText, renderHead, requestLine } from './render-head.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderApprovals, renderHandoffs, renderNotes, renderRefused } from './render-refused.ts';
import { clipText, createPageBudget, fitClip } from './render-text.ts';
import { renderTimeline } from './render-timeline.ts';
import { allowedLinks, reportLink } from './report-link.ts';

/** No page is larger, in bytes, whatever the run did. */
export const largestReport = 5_000_000;
const bytesOfAnswer = 200_000;

/** The page may load nothing but its own style. Sent as a header and in the page itself. */
const reportPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A terminal's prompt; without a picture of its own the browser would ask the server for one. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%236d3ad6'/%3E%3Cpath d='M4 5l3 3-3 3M8.5 11.5h4' stroke='white' stroke-width='1.6' fill='none'/%3E%3C/svg%3E";

/**
 * Renders a run as one HTML page without scripts or external resources, at most `largestReport`
 * bytes. The same report always gives the same page.
 */
export function renderRunReport(report: RunReport): string {
  const places = allowedLinks(report.plan);
  let page = '';
  for (const scale of scales) {
    page = renderPage({ ...report, places, scale });
    if (Buffer.byteLength(page) <= largestReport) break;
  }
  return page;
}

/** Shares to try in turn. Only a run that fills every limit needs more than the first. */
const scales = [1, 0.5, 0.2, 0.05];

function renderPage(context: PageContext): string {
  const report = context;
  const sections: readonly (readonly [id: string, name: string, section: Html | null])[] = [
    ['answer', 'Answer', renderAnswer(context)],
    ['shown', 'Shown', renderDisplay(context)],
    ['findings', 'Findings', renderFindings(context)],
    ['changes', 'Changes', renderFinalChanges(context)],
    ['held-back', 'Refused', renderRefused(context)],
    ['approvals', 'Approvals', renderApprovals(context)],
    ['handoffs', 'Handed over', renderHandoffs(context)],
    ['notes', 'Notes', renderNotes(context)],
    ['cost', 'Cost', renderCharts(context)],
    ['timeline', 'Timeline', renderTimeline(context)],
  ];
  const there = sections.filter(([, , section]) => section !== null);
  const { word } = conclusionText(report);
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${word}: ${requestLine(context, 100)}</title>
<link rel="icon" href="${icon}">
<style>${{ html: pageStyle }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${renderHead(context)}
<nav class="toc" aria-label="Parts of the report"><div class="wrap">${there.map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</div></nav>
<main id="main" class="wrap">${joined(there.map(([, , section]) => section))}</main>
<footer class="wrap"><p>Run <code>${brief(report.outcome.run_id, 80)}</code> of session <code>${brief(report.outcome.session_id, 80)}</code>. Made from the run’s record; secrets are taken out of it, and what a reader would not see is spelt out.</p></footer>
</body>
</html>`;
  return `<!doctype html>\n${page.html}\n`;
}

function renderAnswer({ outcome, places }: PageContext): Html | null {
  const { answer, todos } = outcome;
  if (answer.trim() === '' && todos.length === 0) return null;
  const text =
    answer.trim() === ''
      ? html`<p class="dim">The run gave no answer.</p>`
      : renderMarkdown(answer.trim(), places, bytesOfAnswer);
  return html`<section id="answer"><h2>Answer</h2><div class="card">${text}</div>${todos.length === 0 ? null : renderTodos(todos)}</section>`;
}

function renderTodos(todos: readonly Todo[]): Html {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const signs = { completed: '☑', in_progress: '◐', pending: '☐' } as const;
  const stateNames = { completed: 'done', in_progress: 'begun', pending: 'open' } as const;
  const rows = todos.map(
    ({ content, status }) =>
      html`<li class="${status}"><span aria-hidden="true">${signs[status]}</span> <span class="sr">${stateNames[status]}: </span>${brief(content, 300)}</li>`,
  );
  return html`<details class="todos"${todos.length <= 12 ? ({ html: ' open' } as Html) : null}><summary>List, ${done} of ${todos.length} done</summary><ul class="plainlist">${rows}</ul></details>`;
}

const mostFindings = 500;
const bytesOfAll = 500_000;
const bytesOfOne = 12_000;
const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** Renders the findings, worst first, with location, text and suggestion. */
export function renderFindings({ outcome, plan, places, scale }: PageContext): Html | null {
  const { findings } = outcome;
  if (findings.length === 0) return null;
  const sorted = findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const visible = sorted.slice(0, Math.floor(mostFindings * scale));
  const rest = sorted.length - visible.length;
  const budget = createPageBudget(bytesOfAll * scale, visible.length * 2);
  const rows = visible.map((finding) => {
    const body = renderMarkdown(finding.body.trim(), places, budget.next(bytesOfOne));
    budget.spend(htmlBytes(body));
    const { suggestion } = finding;
    const offered = suggestion === undefined ? null : fitClip(clipText(suggestion), budget.next(bytesOfOne));
    budget.spend(offered?.bytes ?? 0);
    return html`<li class="finding"><p class="title"><span class="badge ${finding.severity}">${finding.severity}</span> <strong>${brief(finding.title, 240)}</strong></p><p class="where">${locationOf(finding, plan, places)} <span class="dim">${brief(finding.category, 60)}</span></p>${body}${offered === null ? null : html`<h4>Suggestion</h4><pre class="text good">${offered.text}</pre>`}${finding.check === undefined ? null : html`<p class="dim">Checked by <code>${brief(finding.check, 200)}</code></p>`}</li>`;
  });
  return html`<section id="findings"><h2>Findings <span class="count">${findings.length}</span></h2><ol class="plainlist">${rows}</ol>${rest > 0 ? html`<p class="cut">${rest} more left out here.</p>` : null}</section>`;
}

/** The line, as a link to it at the reviewed commit. */
function locationOf(finding: Finding, plan: RunPlan | null, places: PageContext['places']): Html {
  const { path, line, start_line: start, side } = finding;
  const lines = start === undefined || start === line ? `${line}` : `${start}–${line}`;
  const before = side === 'LEFT' ? html` <span class="dim">before the change</span>` : null;
  const location = html`<code>${brief(path, 240)}:${lines}</code>`;
  if (plan === null || path.length > 500) return html`${location}${before}`;
  const sha = side === 'LEFT' ? (plan.checkout.base_sha ?? plan.checkout.sha) : plan.checkout.sha;
  const site = plan.repository.clone_url.replace(/\.git$/, '');
  const file = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const anchor = `L${start ?? line}${start === undefined ? '' : `-L${line}`}`;
  return html`${reportLink(location, `${site}/blob/${sha}/${file}#${anchor}`, places)}${before}`;
}
