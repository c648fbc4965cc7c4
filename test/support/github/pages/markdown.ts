import { Marked } from 'marked';

/** Text as HTML shows it. */
export const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? character,
  );

/** The tags GitHub keeps that reports use. They have no attributes here, so they can do nothing. */
const stored =
  /&lt;(\/?)(details|summary|br|sub|sup|kbd|ins|del|b|i|em|strong|code|p|ul|ol|li|hr)( open(?:=&quot;&quot;)?)?\s*\/?&gt;/gi;

/**
 * Raw HTML of a comment: hidden comments are removed, harmless tags stay, and the rest is displayed
 * as text.
 */
const harmless = (html: string) =>
  escapeHtml(html.replace(/<!--[\s\S]*?(?:-->|$)/g, '')).replace(stored, (_, slash, name, open) => {
    return `<${slash}${String(name).toLowerCase()}${open === undefined ? '' : ' open'}>`;
  });

const safeLink = (href: string) => /^(?:https?:|mailto:|#|\/(?!\/))/i.test(href.trim());

const marked = new Marked({ gfm: true, breaks: true, async: false });
marked.use({
  renderer: {
    html: ({ text }) => harmless(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return safeLink(href) ? `<a href="${escapeHtml(href)}" rel="nofollow noreferrer">${text}</a>` : text;
    },
    image: ({ href, text }) =>
      safeLink(href)
        ? `<a href="${escapeHtml(href)}" rel="nofollow noreferrer">🖼 ${escapeHtml(text)}</a>`
        : escapeHtml(text),
    code({ text, lang }) {
      const language = (lang ?? '').split(/\s/)[0] ?? '';
      const label = language === 'suggestion' ? '<div class="suggestion-title">Suggested change</div>' : '';
      return `<div class="code lang-${escapeHtml(language.replace(/[^\w-]/g, ''))}">${label}<pre><code>${escapeHtml(text)}</code></pre></div>`;
    },
  },
});

/** Renders hostile Markdown; nothing in it can run or load. */
export function renderMarkdown(text: string): string {
  const html = marked.parse(text);
  if (typeof html !== 'string') throw new Error('marked rendered asynchronously');
  return html;
}
