import { parseHTML } from 'linkedom';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** GitHub's own rule for mentions (html-pipeline, `MentionFilter`), on the text of each node. */
const mention = /(?:^|[^\w])@([a-z0-9][a-z0-9-]*)/i;
/** GitHub Docs, "Linking a pull request to an issue". */
const closing =
  /(?<![a-z0-9])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:]+(?:[\w.-]+\/[\w.-]+)?(?:#|GH-|https?:\/\/\S+\/(?:issues|pull)\/)\d/i;
/** A slash and a word with which a line that a reader sees begins. */
const command = /^\s*\/[a-z][\w-]*(?=\s|$)/im;
const invisible = /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/;

/** Of linkedom's elements what is asked here. */
interface Element {
  readonly nodeType: number;
  readonly tagName: string;
  readonly textContent: string | null;
  readonly childNodes: readonly Element[];
  normalize(): void;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
}

const allowed = /^https?:\/\/github\.com(?:[/?#]|$)/i;
const relative = /^(?!\/\/|\/?\\)(?:[\w./#?=%+~,@-]|&amp;)*$/;

/** HTML that GitHub takes out with all that is in it, or shows as code. */
const silent = new Set(['CODE', 'PRE', 'TT']);

/** What GitHub would act on in a text that it shows as it is: a title, or the message of a commit. */
export function liveInPlain(text: string): string[] {
  const trailer = /^(?:skip-checks|[a-z-]+-by|anode-run)\s*:/im;
  const skip = /\[(?:(?:skip|no) (?:ci|actions)|(?:ci|actions) skip)\]/i;
  return [mention, closing, invisible, trailer, skip].flatMap((rule) => rule.exec(text)?.[0] ?? []);
}

/** As GitHub renders it: raw HTML is let through, as its sanitiser would keep what matters here. */
export function renderGitHub(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** What GitHub would act on in rendered Markdown, outside of code: what it is, and the place. */
export function liveParts(html: string): string[] {
  const found: string[] = [];
  const { document } = parseHTML(`<!doctype html><html><body><div>${html}</div></body></html>`);
  const root: Element | null = document.querySelector('div');
  if (root === null) throw new Error('nothing rendered');
  // A tag without its like is dropped, and the text before it and behind it is one.
  root.normalize();
  let lines = '';
  const walk = (node: Element, linked: boolean): void => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) {
        const text = child.textContent ?? '';
        lines += text;
        if (!linked && mention.test(text)) found.push(`mention: ${text}`);
        if (invisible.test(text)) found.push(`invisible: ${text}`);
      }
      if (child.nodeType === 8) found.push('comment');
      if (child.nodeType !== 1) continue;
      const element = child;
      const name = element.tagName.toUpperCase();
      if (silent.has(name) || name === 'IMG') lines += '\u0000';
      if (silent.has(name)) {
        continue;
      }
      const block = !/^(?:A|B|I|IMG|EM|STRONG|SUB|SUP|KBD|DEL|TD|TH)$/.test(name);
      if (block) lines += name === 'BR' ? '\n' : '\n\u0000\n';
      found.push(...linkOf(element, name));
      walk(element, linked || name === 'A');
      if (block && name !== 'BR') lines += '\n\u0000\n';
    }
  };
  walk(root, false);
  for (const [part] of lines.matchAll(new RegExp(closing, 'gi'))) found.push(`closes: ${part}`);
  const order = command.exec(lines);
  if (order !== null) found.push(`command: ${order[0]}`);
  return found;
}

function linkOf(element: Element, name: string): string[] {
  const target = element.getAttribute(name === 'A' ? 'href' : 'src');
  if (
    target === null ||
    element.hasAttribute('data-footnote-ref') ||
    element.hasAttribute('data-footnote-backref')
  )
    return [];
  const fine =
    name === 'A'
      ? allowed.test(target) || relative.test(target) || isEmail(element, target)
      : relative.test(target);
  return fine ? [] : [`${name}: ${target}`];
}

/** An address of e-mail that stands there as it is tells no site anything. */
const isEmail = (element: Element, target: string): boolean =>
  /^mailto:/.test(target) && target.replace(/^\w+:/, '') === element.textContent?.replace(/^mailto:/, '');
