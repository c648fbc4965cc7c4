import type { Finding } from '../../contract/findings.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { brief } from './brief.ts';
import { clipText } from './clip.ts';
import { type Html, html, sizeOf } from './html.ts';
import type { PageContext } from './page-context.ts';
import { createPageRoom } from './page-room.ts';
import { renderMarkdown } from './render-markdown.ts';
import { fitClip } from './render-text.ts';
import { reportLink } from './report-link.ts';

const mostFindings = 500;
const bytesOfAll = 500_000;
const bytesOfOne = 12_000;
const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** The findings of a review, the worst first, each with its place, its text and what it suggests. */
export function renderFindings({ outcome, plan, places, scale }: PageContext): Html | null {
  const { findings } = outcome;
  if (findings.length === 0) return null;
  const sorted = findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const shown = sorted.slice(0, Math.floor(mostFindings * scale));
  const rest = sorted.length - shown.length;
  const room = createPageRoom(bytesOfAll * scale, shown.length * 2);
  const rows = shown.map((finding) => {
    const body = renderMarkdown(finding.body.trim(), places, room.next(bytesOfOne));
    room.spend(sizeOf(body));
    const { suggestion } = finding;
    const offered = suggestion === undefined ? null : fitClip(clipText(suggestion), room.next(bytesOfOne));
    room.spend(offered?.bytes ?? 0);
    return html`<li class="finding"><p class="title"><span class="badge ${finding.severity}">${finding.severity}</span> <strong>${brief(finding.title, 240)}</strong></p><p class="where">${placeOf(finding, plan, places)} <span class="dim">${brief(finding.category, 60)}</span></p>${body}${offered === null ? null : html`<h4>Suggestion</h4><pre class="text good">${offered.text}</pre>`}${finding.check === undefined ? null : html`<p class="dim">Checked by <code>${brief(finding.check, 200)}</code></p>`}</li>`;
  });
  return html`<section id="findings"><h2>Findings <span class="count">${findings.length}</span></h2><ol class="plainlist">${rows}</ol>${rest > 0 ? html`<p class="cut">${rest} more left out here.</p>` : null}</section>`;
}

/** The line, as a link to it at the commit that was looked at. */
function placeOf(finding: Finding, plan: RunPlan | null, places: PageContext['places']): Html {
  const { path, line, start_line: start, side } = finding;
  const lines = start === undefined || start === line ? `${line}` : `${start}–${line}`;
  const before = side === 'LEFT' ? html` <span class="dim">before the change</span>` : null;
  const words = html`<code>${brief(path, 240)}:${lines}</code>`;
  if (plan === null || path.length > 500) return html`${words}${before}`;
  const sha = side === 'LEFT' ? (plan.checkout.base_sha ?? plan.checkout.sha) : plan.checkout.sha;
  const site = plan.repository.clone_url.replace(/\.git$/, '');
  const file = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const anchor = `L${start ?? line}${start === undefined ? '' : `-L${line}`}`;
  return html`${reportLink(words, `${site}/blob/${sha}/${file}#${anchor}`, places)}${before}`;
}
