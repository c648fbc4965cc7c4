import { oneLine } from '../text/markdown.ts';
import { tokensOf } from './fold-story.ts';
import { type Html, html, nothing, sizeOf } from './html.ts';
import { costWords, countWords, type PageContext, timeWords } from './page-context.ts';
import { createPageRoom, type PageRoom } from './page-room.ts';
import { type ItemContext, renderItems } from './render-call.ts';
import { renderMarkdown } from './render-markdown.ts';
import type { StoryItem, StoryTurn } from './run-story.ts';

/** More turns or items than a person looks through; of those in the middle only their number is told. */
const most = { turns: 700, items: 1_500 } as const;
const bytesOfTexts = 1_900_000;
const bytesOfWords = 6_000;

/** The run turn by turn: what the model said, what it called, and what came of it, all folded. */
export function renderTimeline(context: PageContext): Html {
  const { story, scale } = context;
  const kept = keptTurns(story.turns);
  const count = kept.reduce((sum, turn) => sum + (turn === null ? 0 : 1 + piecesOf(turn.items)), 0);
  const room = createPageRoom(bytesOfTexts * scale, count + piecesOf(story.before));
  const items: ItemContext = {
    places: context.places,
    room,
    left: { items: Math.floor(most.items * scale) },
  };
  const start = renderItems(story.before, items);
  const turns = kept.map((turn) =>
    turn === null
      ? html`<li class="turn"><p class="cut">${story.turns.length - kept.length + 1} turns left out here.</p></li>`
      : renderTurn(turn, context, items, room),
  );
  const first = start === nothing ? null : html`<li class="turn"><h3>Start</h3>${start}</li>`;
  return html`<section id="timeline"><h2>Timeline</h2>
<fieldset class="filter"><legend>Show</legend><label><input type="radio" name="show" id="show-all" checked> all calls</label><label><input type="radio" name="show" id="show-trouble"> trouble only</label><label><input type="radio" name="show" id="show-changes"> changes only</label></fieldset>
<ol class="turns">${first}${turns}</ol></section>`;
}

/** The first and the last turns; null stands for those between. */
function keptTurns(turns: readonly StoryTurn[]): (StoryTurn | null)[] {
  if (turns.length <= most.turns) return [...turns];
  return [...turns.slice(0, most.turns / 2), null, ...turns.slice(-most.turns / 2)];
}

/** Texts that ask for room. */
function piecesOf(items: readonly StoryItem[]): number {
  return items.reduce((sum, item) => {
    if (item.kind === 'event') return sum + (item.more === null ? 0 : 1);
    const own = item.kind === 'call' ? 3 : 1;
    return sum + own + item.changes.length + piecesOf(item.items);
  }, 0);
}

function renderTurn(turn: StoryTurn, context: PageContext, items: ItemContext, room: PageRoom): Html {
  const text =
    turn.text === null ? null : renderMarkdown(turn.text.head, context.places, room.next(bytesOfWords));
  if (text === null) room.next(0);
  else room.spend(sizeOf(text));
  const since = Date.parse(turn.at) - Date.parse(context.story.startedAt);
  const tokens = tokensOf(turn.usage) + turn.childTokens;
  const facts = [
    ...(since >= 0 ? [`after ${timeWords(since)}`] : []),
    ...(tokens > 0 ? [`${countWords(tokens)} tokens`] : []),
    ...(turn.costUsd !== null && turn.costUsd > 0 ? [costWords(turn.costUsd)] : []),
  ];
  const last = context.story.turns.at(-1) === turn && context.outcome.answer !== '';
  const answered = last && turn.text !== null && oneLine(turn.text.head) === oneLine(context.outcome.answer);
  const words = answered ? html`<p class="dim">Gave the <a href="#answer">answer</a>.</p>` : text;
  return html`<li class="turn" id="turn-${turn.number}"><h3>Turn ${turn.number}<span class="dim">${facts.join(' · ')}</span></h3>${words}${renderItems(turn.items, items)}</li>`;
}
