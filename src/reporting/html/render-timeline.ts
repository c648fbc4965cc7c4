import { diffCounts } from '../diff/git-patch.ts';
import { cutText, oneLine } from '../text/markdown.ts';
import { tokensOf } from './fold-story.ts';
import { brief, type Html, html, htmlBytes, joined, nothing } from './html.ts';
import { costText, formatCount, type PageContext, timeText } from './page-context.ts';
import { renderDiff } from './render-changes.ts';
import { renderMarkdown } from './render-markdown.ts';
import { createPageBudget, type PageBudget, renderText } from './render-text.ts';
import type { AllowedLinks } from './report-link.ts';
import type { StoryCall, StoryChange, StoryChild, StoryEvent, StoryItem, StoryTurn } from './run-story.ts';

/** Limits for the timeline. Omitted turns in the middle are counted. */
const most = { turns: 700, items: 1_500 } as const;
const bytesOfTexts = 1_900_000;
const bytesOfText = 6_000;

/** Renders the run turn by turn: the model's text, its calls and their results, all folded. */
export function renderTimeline(context: PageContext): Html {
  const { story, scale } = context;
  const visible = visibleTurns(story.turns);
  const count = visible.reduce((sum, turn) => sum + (turn === null ? 0 : 1 + piecesOf(turn.items)), 0);
  const budget = createPageBudget(bytesOfTexts * scale, count + piecesOf(story.before));
  const items: ItemContext = {
    places: context.places,
    budget,
    remaining: { items: Math.floor(most.items * scale) },
  };
  const start = renderItems(story.before, items);
  const turns = visible.map((turn) =>
    turn === null
      ? html`<li class="turn"><p class="cut">${story.turns.length - visible.length + 1} turns left out here.</p></li>`
      : renderTurn(turn, context, items, budget),
  );
  const first = start === nothing ? null : html`<li class="turn"><h3>Start</h3>${start}</li>`;
  return html`<section id="timeline"><h2>Timeline</h2>
<fieldset class="filter"><legend>Show</legend><label><input type="radio" name="show" id="show-all" checked> all calls</label><label><input type="radio" name="show" id="show-trouble"> trouble only</label><label><input type="radio" name="show" id="show-changes"> changes only</label></fieldset>
<ol class="turns">${first}${turns}</ol></section>`;
}

/** The first and the last turns; null replaces the turns between. */
function visibleTurns(turns: readonly StoryTurn[]): (StoryTurn | null)[] {
  if (turns.length <= most.turns) return [...turns];
  return [...turns.slice(0, most.turns / 2), null, ...turns.slice(-most.turns / 2)];
}

/** Texts that ask for budget. */
function piecesOf(items: readonly StoryItem[]): number {
  return items.reduce((sum, item) => {
    if (item.kind === 'event') return sum + (item.more === null ? 0 : 1);
    const size = item.kind === 'call' ? 3 : 1;
    return sum + size + item.changes.length + piecesOf(item.items);
  }, 0);
}

function renderTurn(turn: StoryTurn, context: PageContext, items: ItemContext, budget: PageBudget): Html {
  const text =
    turn.text === null ? null : renderMarkdown(turn.text.head, context.places, budget.next(bytesOfText));
  if (text === null) budget.next(0);
  else budget.spend(htmlBytes(text));
  const since = Date.parse(turn.at) - Date.parse(context.story.startedAt);
  const tokens = tokensOf(turn.usage) + turn.childTokens;
  const facts = [
    ...(since >= 0 ? [`after ${timeText(since)}`] : []),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
    ...(turn.costUsd !== null && turn.costUsd > 0 ? [costText(turn.costUsd)] : []),
  ];
  const last = context.story.turns.at(-1) === turn && context.outcome.answer !== '';
  const answered = last && turn.text !== null && oneLine(turn.text.head) === oneLine(context.outcome.answer);
  const words = answered ? html`<p class="dim">Gave the <a href="#answer">answer</a>.</p>` : text;
  return html`<li class="turn" id="turn-${turn.number}"><h3>Turn ${turn.number}<span class="dim">${facts.join(' · ')}</span></h3>${words}${renderItems(turn.items, items)}</li>`;
}

const bytes = {
  decision: 6_000,
  input: 8_000,
  output: 20_000,
  diff: 40_000,
  summary: 6_000,
  event: 6_000,
} as const;
const linesOfDiff = 160;

/** The state shared by the parts of a timeline. */
interface ItemContext {
  readonly places: AllowedLinks;
  readonly budget: PageBudget;
  /** Number of items that may still be displayed. */
  readonly remaining: { items: number };
}

/**
 * Renders calls, child runs and events as a list. Omitted items are counted. `nothing` for an empty
 * list.
 */
export function renderItems(items: readonly StoryItem[], context: ItemContext): Html {
  if (items.length === 0) return nothing;
  const visible = items.slice(0, Math.max(0, context.remaining.items));
  context.remaining.items -= visible.length;
  const rows = visible.map((item) => html`<li>${renderItem(item, context)}</li>`);
  const rest = items.length - visible.length;
  const more = rest === 0 ? null : html`<li><p class="cut">${formatCount(rest)} more left out here.</p></li>`;
  return html`<ol class="items">${rows}${more}</ol>`;
}

function renderItem(item: StoryItem, context: ItemContext): Html {
  if (item.kind === 'event') return renderEvent(item, context);
  return item.kind === 'call' ? renderCall(item, context) : renderChild(item, context);
}

/** Renders one line of untrusted text. */
function line(text: string): Html {
  return brief(text, 200);
}

/** The result of a call: a word for screen readers and a sign. */
function stateOf({ result, refused, decision }: StoryCall): {
  readonly tone: string;
  readonly symbol: string;
  readonly word: string;
} {
  if (refused || (decision?.action === 'reject' && decision.mistake !== true))
    return { tone: 'refused', symbol: '⊘', word: 'refused' };
  if (result === null)
    return decision?.action === 'ask'
      ? { tone: 'refused', symbol: '?', word: 'not made, waits for a person' }
      : { tone: 'bad', symbol: '…', word: 'did not end' };
  return result.ok ? { tone: 'ok', symbol: '✓', word: 'done' } : { tone: 'bad', symbol: '✗', word: 'failed' };
}

function renderCall(call: StoryCall, context: ItemContext): Html {
  const { tone, symbol, word } = stateOf(call);
  const { result, decision } = call;
  const changed = call.changes.length > 0 ? ' changed' : '';
  const time =
    result === null || result.durationMs < 1
      ? null
      : html`<span class="time">${timeText(result.durationMs)}</span>`;
  const input = renderText(
    call.input,
    `Input of ${cutText(call.tool, 60, '…')}`,
    context.budget,
    bytes.input,
  );
  const output =
    result === null
      ? null
      : renderText(result.content, `Output of ${cutText(call.tool, 60, '…')}`, context.budget, bytes.output);
  if (result === null) context.budget.next(0);
  const kind =
    result?.errorKind === null || result === null ? null : html` <code>${brief(result.errorKind, 60)}</code>`;
  const whole =
    result?.spilled === true ? html` <span class="dim">The whole is kept in the run’s record.</span>` : null;
  const inside = html`${decision === null ? null : renderDecision(decision, context.budget)}<h4>Input</h4>${input}${
    output === null
      ? null
      : html`<h4>${result?.ok === true ? 'Output' : 'Error'}${kind}${whole}</h4>${output}`
  }${renderChanges(call.changes, context)}`;
  const nested = renderItems(call.items, context);
  return html`<details class="call ${tone}${changed}"><summary><span class="sign" aria-hidden="true">${symbol}</span><span class="sr">${word}: </span><span class="tool">${line(call.tool)}</span><span class="what">${line(call.what)}</span>${time}</summary><div class="inside">${inside}</div></details>${nested === nothing ? null : html`<div class="nested">${nested}</div>`}`;
}

/** Returns why a call was permitted or refused; nothing if no rule had to decide. */
function renderDecision(decision: NonNullable<StoryCall['decision']>, budget: PageBudget): Html | null {
  const { action, reason, rule, level, commands, mistake } = decision;
  let remaining = budget.next(bytes.decision);
  if (action === 'allow' && rule === null && commands.length < 2) return null;
  const words =
    mistake === true ? 'Not run' : { allow: 'Allowed', ask: 'Needs a person', reject: 'Refused' }[action];
  const by = rule === null ? null : html`, by ${brief(rule, 100)}`;
  const several = commands.length < 2 ? [] : commands;
  const parts: Html[] = [];
  for (const part of several) {
    const row = html`<li><code>${brief(part.command, 160)}</code> ${part.action}: ${line(part.reason)}</li>`;
    remaining -= htmlBytes(row);
    if (remaining < 0) break;
    parts.push(row);
  }
  const rest = several.length - parts.length;
  const more = rest === 0 ? null : html`<li class="cut">${rest} more</li>`;
  const list = several.length === 0 ? null : html`<ul>${joined(parts)}${more}</ul>`;
  budget.spend(list === null ? 0 : htmlBytes(list));
  return html`<div class="decision"><strong>${words}</strong> <span class="dim">${level}${by}</span>: ${line(reason)}${list}</div>`;
}

function renderChanges(changes: readonly StoryChange[], { budget }: ItemContext): Html[] {
  return changes.map((change) => {
    const { added, removed } = diffCounts(change.diff.head);
    const diff = renderDiff(change.diff.head, change.diff.length, {
      lines: linesOfDiff,
      budget: budget.next(bytes.diff),
    });
    budget.spend(diff.bytes);
    const checked =
      change.validation === 'unchecked'
        ? null
        : html` <span class="badge ${change.validation === 'passed' ? 'good' : 'bad'}">checks ${change.validation}</span>`;
    const risk = change.risk === 'low' ? null : html` <span class="badge warning">${change.risk} risk</span>`;
    return html`<h4><code>${line(change.path)}</code> <span class="plus">+${added}</span> <span class="minus">−${removed}</span>${risk}${checked}</h4>${diff.html}`;
  });
}

function renderChild(child: StoryChild, context: ItemContext): Html {
  const { result, title, profile } = child;
  const ok = result?.conclusion === 'success';
  const facts =
    result === null
      ? 'did not end'
      : `${formatCount(result.turns)} turns · ${formatCount(result.tokens)} tokens${result.costUsd === null ? '' : ` · ${costText(result.costUsd)}`}`;
  const budget = context.budget.next(bytes.summary);
  const summary = result === null ? null : renderMarkdown(result.summary.head, context.places, budget);
  if (summary !== null) context.budget.spend(htmlBytes(summary));
  const changed = child.changes.length > 0 ? ' changed' : '';
  return html`<details class="call child ${ok ? 'ok' : 'bad'}${changed}"><summary><span class="sign" aria-hidden="true">↳</span><span class="tool">child run</span><span class="what">${line(`${profile}: ${title}`)}</span><span class="time">${result === null || ok ? null : `${result.conclusion} · `}${facts}</span></summary><div class="inside">${summary}${renderChanges(child.changes, context)}</div></details>${child.items.length === 0 ? null : html`<div class="nested">${renderItems(child.items, context)}</div>`}`;
}

function renderEvent({ tone, text: words, more }: StoryEvent, { budget }: ItemContext): Html {
  if (more === null) return html`<p class="event ${tone}">${line(words)}</p>`;
  const inside = renderText(more, 'More', budget, bytes.event);
  return html`<details class="event ${tone}"><summary>${line(words)}</summary>${inside}</details>`;
}
