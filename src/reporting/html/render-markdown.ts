import type { Token, Tokens } from 'marked';
import { readMarkdown } from '../../contract/read-markdown.ts';
import { decodeEntities } from '../../untrusted-text/decode-entities.ts';
import { type Html, html, htmlBytes, joined } from './html.ts';
import { clipText, fitClip } from './render-text.ts';
import { type AllowedLinks, reportLink } from './report-link.ts';

/** Longer texts are displayed as written: parsing time grows faster than the text. */
const longestMarkdown = 12_000;
const deepest = 8;

/**
 * Renders a model's Markdown token by token: no HTML of its own, no images, only allowed links. A
 * text that takes more than `budget` bytes is displayed as written and cut.
 */
export function renderMarkdown(text: string, places: AllowedLinks, budget: number): Html {
  const tokens = text.length <= longestMarkdown && !hardToRead(text) ? readMarkdown(text) : null;
  if (tokens !== null) {
    const done = joined(tokens.map((token) => block(token, places, 0)));
    if (htmlBytes(done) <= budget) return html`<div class="md">${done}</div>`;
  }
  return html`<div class="md plain">${fitClip(clipText(text), budget).text}</div>`;
}

/** True for deeply nested quotes and brackets, which would overflow a recursive parser. */
function hardToRead(text: string): boolean {
  return (
    /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){12}/m.test(text) ||
    (text.match(/[_*]/g)?.length ?? 0) > 1_500 ||
    /[[(*_~`]{40}|(?:\[[^[\]\n]{0,20}){30}/.test(text)
  );
}

function block(token: Token, places: AllowedLinks, depth: number): Html | null {
  if (depth > deepest) return html`<p>${token.raw}</p>`;
  const blocks = (tokens: readonly Token[] = []) =>
    joined(tokens.map((one) => block(one, places, depth + 1)));
  const inlineText = (tokens: readonly Token[] = []) => inline(tokens, places, depth + 1);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const { tokens } = token as Tokens.Heading;
      return html`<p class="heading">${inlineText(tokens)}</p>`;
    }
    case 'paragraph':
      return html`<p>${inlineText((token as Tokens.Paragraph).tokens)}</p>`;
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? html`${decodeEntities(text)}` : inlineText(tokens);
    }
    case 'code':
      return html`<pre class="text">${(token as Tokens.Code).text}</pre>`;
    case 'blockquote':
      return html`<blockquote>${blocks((token as Tokens.Blockquote).tokens)}</blockquote>`;
    case 'list': {
      const { ordered, items, start } = token as Tokens.List;
      const entries = items.map(
        (item) =>
          html`<li>${item.task ? html`<span class="task">${item.checked ? '☑' : '☐'}</span> ` : null}${blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}</li>`,
      );
      return ordered
        ? html`<ol start="${typeof start === 'number' ? start : 1}">${entries}</ol>`
        : html`<ul>${entries}</ul>`;
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      const heads = header.map(({ tokens }) => html`<th scope="col">${inlineText(tokens)}</th>`);
      const body = rows.map(
        (row) => html`<tr>${row.map(({ tokens }) => html`<td>${inlineText(tokens)}</td>`)}</tr>`,
      );
      return html`<table class="grid"><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`;
    }
    case 'hr':
      return html`<hr>`;
    default:
      return html`<p>${token.raw}</p>`;
  }
}

function inline(tokens: readonly Token[], places: AllowedLinks, depth: number): Html {
  return joined(tokens.map((token) => phrase(token, places, depth)));
}

function phrase(token: Token, places: AllowedLinks, depth: number): Html {
  if (depth > deepest) return html`${token.raw}`;
  const inlineText = (within: readonly Token[] = []) => inline(within, places, depth + 1);
  switch (token.type) {
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens === undefined ? html`${decodeEntities(text)}` : inlineText(tokens);
    }
    case 'escape':
      return html`${(token as Tokens.Escape).text}`;
    case 'strong':
      return html`<strong>${inlineText((token as Tokens.Strong).tokens)}</strong>`;
    case 'em':
      return html`<em>${inlineText((token as Tokens.Em).tokens)}</em>`;
    case 'del':
      return html`<s>${inlineText((token as Tokens.Del).tokens)}</s>`;
    case 'codespan':
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case 'br':
      return html`<br>`;
    case 'link': {
      const { tokens, href } = token as Tokens.Link;
      return reportLink(inlineText(tokens), href, places);
    }
    default:
      // Images and HTML among them: as they are written.
      return html`${token.raw}`;
  }
}
