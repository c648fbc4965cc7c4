import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import type { PageAnswer, PageRequest } from './convert-page.ts';

/** Maximum nesting; finding the text takes time quadratic in it. */
const deepest = 400;

const invisibleStyle =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i;

/** Elements around the text of a page. */
const pageFrame =
  'script, style, template, noscript, svg, canvas, iframe, form, button, nav, aside, footer, dialog';

/**
 * Converts a page to GitHub's Markdown with absolute links: Readability's article, or the whole
 * page if that is too short. Null if the page is nested too deep. Runs in a process of its own, as
 * a hostile page may break it.
 */
export function pageToMarkdown({ html, url }: PageRequest): PageAnswer {
  if (depthOf(html) > deepest) return null;
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`,
  );
  const title = (document.querySelector('title')?.textContent ?? '').trim();
  for (const one of [...document.querySelectorAll('a[href], img[src]')]) makeAbsolute(one, url);
  // Text that readers do not see may target the model.
  for (const one of [...document.querySelectorAll('[hidden], [style]')])
    if (one.hasAttribute('hidden') || invisibleStyle.test(one.getAttribute('style') ?? '')) one.remove();
  const body = document.body.innerHTML;
  for (const one of [...document.querySelectorAll(pageFrame)]) one.remove();
  const rest = document.body.innerHTML;
  const { document: copy } = parseHTML(`<!doctype html><html><head></head><body>${body}</body></html>`);
  const article = new Readability(copy as never, { keepClasses: true, charThreshold: 200 }).parse();
  const chosen =
    article?.content != null && isMostOf(article.textContent ?? '', document.body.textContent ?? '')
      ? article.content
      : rest;
  return { title, text: markdownOf(chosen) };
}

/** True if an article has a third of the page's text; lists of links have none. */
function isMostOf(article: string, all: string): boolean {
  const letters = (text: string) => text.replaceAll(/\s+/g, '').length;
  return letters(article) * 3 >= letters(all);
}

function markdownOf(html: string): string {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  turndown.use(gfm);
  // The model sees the alternative text only.
  turndown.addRule('pictures', {
    filter: 'img',
    replacement: (_content, node) => {
      const alt = (
        (node as unknown as { getAttribute(name: string): string | null }).getAttribute('alt') ?? ''
      ).trim();
      return alt === '' ? '' : `[image: ${alt}]`;
    },
  });
  return turndown
    .turndown(html)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** An address of a page as one of the web. */
function makeAbsolute(
  element: { getAttribute(name: string): string | null; setAttribute(name: string, value: string): void },
  url: string,
): void {
  for (const name of ['href', 'src']) {
    const value = element.getAttribute(name);
    const whole = value === null ? null : URL.parse(value, url);
    if (whole !== null) element.setAttribute(name, whole.href);
  }
}

const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements with optional end tags. */
const optionalEnd = new Set(
  'p li dt dd tr td th thead tbody tfoot option optgroup colgroup rp rt body html head'.split(' '),
);

/** The deepest nesting of elements, counted by tags. */
function depthOf(html: string): number {
  let depth = 0;
  let most = 0;
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const tag = name.toLowerCase();
    if (voidElements.has(tag) || optionalEnd.has(tag)) continue;
    depth = end === '' ? depth + 1 : Math.max(0, depth - 1);
    most = Math.max(most, depth);
  }
  return most;
}
