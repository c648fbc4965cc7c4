import { describePermission } from '../../permissions/policy/describe-permission.ts';
import { brief, type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';

const mostRows = 200;

/** Renders untrusted text on one line, within bounds. */
function short(text: string, length = 600): Html {
  return brief(text, length);
}

function listed(rows: readonly Html[], scale: number): Html {
  const visible = rows.slice(0, Math.floor(mostRows * scale));
  const rest = rows.length - visible.length;
  return html`<ul class="rows">${visible.map((row) => html`<li>${row}</li>`)}${rest > 0 ? html`<li class="cut">${rest} more left out here.</li>` : null}</ul>`;
}

const called = (tool: string, what: string): Html => html`<code>${short(`${tool} ${what}`, 240)}</code>`;

/** Renders what was refused, not made, weakened or removed, with the reasons. */
export function renderRefused({ outcome, published, plan, scale }: PageContext): Html | null {
  const { refusals, approvals } = outcome;
  const downgrades = published?.downgrades ?? [];
  const failures = published?.failures ?? [];
  const hidden = plan?.hidden_text ?? [];
  const proposed = new Set(approvals.map(({ call_id: id }) => id));
  const refused = refusals.filter(({ call_id: id }) => !proposed.has(id));
  const count = refused.length + approvals.length + downgrades.length + failures.length + hidden.length;
  if (count === 0) return null;
  const part = (title: string, rows: readonly Html[]) =>
    rows.length === 0 ? null : html`<h3>${title}</h3>${listed(rows, scale)}`;
  return html`<section id="held-back"><h2>Refused and dropped <span class="count">${count}</span></h2>
${part(
  'Calls that were refused',
  refused.map(({ tool, what, reason }) => html`${called(tool, what)} ${short(reason)}`),
)}
${part(
  'Calls not made without approval',
  approvals.map(
    ({ tool, what, reason, hash }) =>
      html`${called(tool, what)} <span class="dim">${short(hash, 40)}</span> ${short(reason)}`,
  ),
)}
${part(
  'Published in a weaker form',
  downgrades.map((text) => short(text)),
)}
${part(
  'Could not be posted',
  failures.map((text) => short(text)),
)}
${part(
  'Text that readers of the thread do not see, kept from the model',
  hidden.map(
    ({ kind, where, author, length, excerpt }) =>
      html`${short(`${kind} in ${where}, by ${author}, ${length} characters`, 300)} <code>${short(excerpt, 200)}</code>`,
  ),
)}
</section>`;
}

/** Renders questions, decisions, grants and what the run waits for. */
export function renderApprovals({ outcome, scale }: PageContext): Html | null {
  const { decided = [], grants = [], pending_approval: pending, question } = outcome;
  if (decided.length === 0 && grants.length === 0 && pending === undefined && question === null) return null;
  const verdicts = { approved: 'approved', denied: 'denied', lapsed: 'approved, but not done' } as const;
  const rows = [
    ...(question === null
      ? []
      : [html`<span class="badge warning">waiting</span> ${short(question.question)}`]),
    ...(pending === undefined
      ? []
      : [
          html`<span class="badge warning">waiting</span> ${called(pending.tool, pending.what)} <span class="dim">${short(pending.hash, 40)}</span> ${short(pending.reason)}`,
        ]),
    ...decided.map(
      ({ tool, what, hash, verdict, by, note }) =>
        html`<span class="badge ${verdict === 'approved' ? 'good' : 'warning'}">${verdicts[verdict]}</span> by <strong>${short(by, 60)}</strong>: ${called(tool, what)} <span class="dim">${short(hash, 40)}</span> ${short(note)}`,
    ),
    ...grants.map(
      ({ permissions, by, hash, reason }) =>
        html`<span class="badge good">granted</span> by <strong>${short(by, 60)}</strong>: ${permissions.slice(0, 20).map((rule) => html`<code>${short(describePermission(rule), 300)}</code> `)}<span class="dim">${short(hash, 40)}</span> ${short(reason)}`,
    ),
  ];
  return html`<section id="approvals"><h2>Questions and approvals</h2>${listed(rows, scale)}</section>`;
}

/** Renders notes for the operator: fallbacks, set-up, hooks, unreadable files. */
export function renderNotes({ outcome, story, scale }: PageContext): Html | null {
  const crashed =
    story.finished || outcome.diagnostics.some((text) => text.startsWith('The run ended without'))
      ? []
      : ['The record ends in the middle of the run.'];
  const notes = [...crashed, ...outcome.diagnostics];
  if (notes.length === 0) return null;
  return html`<section id="notes"><h2>Notes <span class="count">${notes.length}</span></h2>${listed(
    notes.map((text) => short(text)),
    scale,
  )}</section>`;
}

/** Work that was handed over, and to whom. */
export function renderHandoffs({ outcome, scale }: PageContext): Html | null {
  if (outcome.handoffs.length === 0) return null;
  const rows = outcome.handoffs.map(
    ({ target, summary, goal, recommended_next_steps: steps }) =>
      html`<span class="badge plain">${target}</span> ${short(goal ?? summary)}${steps.length === 0 ? null : html`<ul>${steps.slice(0, 20).map((step) => html`<li>${short(step)}</li>`)}</ul>`}`,
  );
  return html`<section id="handoffs"><h2>Handed over</h2>${listed(rows, scale)}</section>`;
}
