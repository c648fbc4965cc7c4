import { codeRegions } from './text/code-regions.ts';
import { stripInvisible } from './text/invisible.ts';
import { neutraliseLinks } from './text/neutralise-links.ts';

/** What a text of a model may do on GitHub; nothing of it where left out. */
export interface OutgoingAllowance {
  /** Logins that may be notified. */
  readonly mentions?: readonly string[];
  /** Numbers of issues that may be closed. */
  readonly closes?: readonly number[];
  /** Hosts that may be linked to, as `github.com` or `localhost:8080`; `*.example.com` for all below one. */
  readonly hosts?: readonly string[];
}

/** A user or team that GitHub would notify: not in the middle of a word, as in an address of e-mail. */
const mention = /(?<![\w`])@([A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:\[bot\])?(?:\/[A-Za-z0-9][\w.-]*)?)/g;

/** GitHub Docs, "Linking a pull request to an issue": keywords that close what they name. */
const closing =
  /\b((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:\s*:)?\s+)((?:[\w.-]+\/[\w.-]+)?#(\d+)|GH-(\d+)|https?:\/\/\S+?\/(?:issues|pull)\/(\d+)\b)/gi;

/** A command of ours or of another bot: a line that begins with a slash and a word, which is no path. */
const command = /^([ \t>]*)(\/[A-Za-z][\w-]*)(?![\w/.-])/gm;

/** References that spell what a mention or a number begins with, and backslashes that do not keep GitHub from reading it. */
const disguised =
  /&(?:#0{0,6}64;?|#[xX]0{0,6}40;?|commat;)|(?<!\\)\\+(?=[@#])|&(?:#0{0,6}35;?|#[xX]0{0,6}23;?|num;)/g;

/** Tags that only say how a word looks, within a line: nothing can hide in them, and none begins a block. */
const plainTag = /^<\/?(?:br|sub|sup|kbd|b|i|em|strong)\s*\/?>/i;

/**
 * Makes text of the model harmless to post as Markdown: `@mentions` notify nobody and `fixes #n` closes nothing, as both become
 * code; commands to bots do too. No HTML but plain tags within a line is left, so no comment hides in it, and code is code to
 * GitHub where it is to us. No link leads to a host that is not allowed: its address becomes code. Images stay for
 * the caller. Code keeps every character that shows. Applied twice it changes no more.
 */
export function neutraliseOutgoing(text: string, allow: OutgoingAllowance = {}): string {
  const visible = stripInvisible(text).text;
  let done = '';
  let last = 0;
  // The text of the last line so far.
  let line = '';
  const add = (part: string): void => {
    done += part;
    const end = part.lastIndexOf('\n');
    line = end < 0 ? line + part : part.slice(end + 1);
  };
  for (const { start, end } of codeRegions(visible, { html: false })) {
    const code = visible.slice(start, end);
    add(neutraliseProse(undrawn(visible.slice(last, start), code), line, allow));
    add(code);
    last = end;
  }
  add(neutraliseProse(undrawn(visible.slice(last), ''), line, allow));
  return done;
}

/**
 * Prose without fences whose code is drawn with a link: of the last one `code` is what it holds, of the others, of which it is not sure
 * what GitHub takes for their code, all that follows.
 */
function undrawn(prose: string, code: string): string {
  let lastWayOut: number | null = null;
  return prose.replace(drawnFence, (fence: string, start: string, at: number) => {
    const end = at + fence.length;
    lastWayOut ??= [...prose.matchAll(leadsOut)].at(-1)?.index ?? -1;
    const leads = end === prose.length ? code.search(leadsOut) >= 0 : lastWayOut >= end;
    return leads ? `${start}text\n` : fence;
  });
}

/**
 * How a fence begins whose code GitHub draws instead of showing it (GitHub Docs, "Creating diagrams"), with links that work. What
 * its word really is, an entity may hide.
 */
const drawnFence =
  /((?<![^\n])(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(?:`{3,}(?!`)|~{3,}(?!~))[ \t]*(?![ \t]))(?:(?:mermaid|math|geojson|topojson|stl)\b|[^\n&\\]*[&\\])[^\n]*\n/gi;

/** An address, or what makes a link of one in a diagram or a formula. */
const leadsOut = /\/\/|\bclick\b|\bhref\b/gi;

/**
 * The same for a place that shows text as it is: messages of commits and titles. Mentions lose their `@`, numbers their `#`
 * behind a closing word, and words that keep workflows from running are taken apart (GitHub Docs, "Skipping workflow runs").
 */
export function neutralisePlain(text: string): string {
  return stripInvisible(text)
    .text.replace(mention, '$1')
    .replace(closing, (_, keyword: string, reference: string) =>
      /^https?:/i.test(reference)
        ? `${keyword}<${reference}>`
        : `${keyword}${reference.replace(/#|GH-/i, ' ').trim()}`,
    )
    .replace(/\[((?:skip|no) (?:ci|actions)|(?:ci|actions) skip)\]/gi, '($1)')
    .replace(/^(skip-checks|[a-z-]+-by|anode-run)\s*:/gim, '$1 ');
}

/** One part of prose; `before` is what stands before it on its line. */
function neutraliseProse(text: string, before: string, allow: OutgoingAllowance): string {
  const mentions = new Set(allow.mentions?.map((login) => login.toLowerCase()));
  const spelt = text.replace(disguised, (found) =>
    found.startsWith('\\') ? '' : /64|40|com/i.test(found) ? '@' : '#',
  );
  const plain = withoutTags(spelt, before);
  return neutraliseLinks(plain, allow.hosts ?? [], (part, starts) => {
    const atStart = starts && before === '';
    return part
      .replace(command, (whole, space: string, word: string, at: number) =>
        at > 0 || atStart ? `${space}\`${word}\`` : whole,
      )
      .replace(mention, (whole, name: string) => (mentions.has(name.toLowerCase()) ? whole : `\`${whole}\``))
      .replace(closing, (whole, keyword: string, reference: string, ...numbers: string[]) => {
        const number = Number(numbers.slice(0, 3).find((found) => found !== undefined));
        return allow.closes?.includes(number) ? whole : `${keyword}\`${reference}\``;
      });
  });
}

/** Text whose tags are none but for plain ones behind a word, or behind code, on their line. */
function withoutTags(text: string, before: string): string {
  let [word, from] = [before.trim() !== '', 0];
  return text.replace(/<(?=[a-z/!?])/gi, (bracket, at: number) => {
    // Each character is looked at once: a line may hold thousands of brackets.
    const since = text.slice(from, at);
    const line = since.slice(since.lastIndexOf('\n') + 1);
    word = (word && line.length === since.length) || /\w/.test(line);
    from = at;
    if (/^<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>/i.test(text.slice(at, at + 2_100))) return bracket;
    return word && plainTag.test(text.slice(at, at + 20)) ? bracket : '&lt;';
  });
}
