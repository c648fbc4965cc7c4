import { closedEnd, closedStart, entity, markup, shortTag, takenApartClosing } from './closing-words.ts';
import { type CodeRegion, codeRegions } from './code-regions.ts';
import { decodeEntities } from './decode-entities.ts';
import { apart, invisible, stripInvisible } from './invisible.ts';

/**
 * Returns code unchanged, with its fence closed. Diagrams with working links become plain text
 * (GitHub Docs, "Creating diagrams"). So do suggestions: they have a field of their own and are
 * tested.
 */
function safeCode(text: string, { start, end, whole, open }: CodeRegion): string {
  const code = text.slice(start, whole.end);
  const [, mark = '', info = ''] = /^(`{3,}|~{3,})[ \t]*(.*)\n$/.exec(text.slice(whole.start, start)) ?? [];
  const asText = mark !== '' && isActedOn(decodeEntities(info).trim(), text.slice(start, end));
  const head = asText ? `${mark}text\n` : text.slice(whole.start, start);
  return `${head}${code}${open === null ? '' : `${code.endsWith('\n') ? '' : '\n'}${open}`}`;
}

function isActedOn(word: string, code: string): boolean {
  if (/^suggestion/i.test(word)) return true;
  // References and escapes may hide the real word.
  if (!/^(?:mermaid|math|geojson|topojson|stl)\b|[&\\]/i.test(word)) return false;
  // JSON and YAML readers turn escapes into slashes. Formulas are full of harmless commands.
  const escapes = /^math\b/i.test(word) ? outwardCommand : /\\(?!n)/;
  return escapes.test(code) || leadsOut(code);
}

/**
 * Returns true if a drawing may contain an address or a link. Resolves references of Mermaid
 * (`#47;`) and HTML, and white space that browsers skip.
 */
function leadsOut(code: string): boolean {
  const plain = decodeEntities(code.replace(/&?#(?=x?[\da-f]+;)/gi, '&#').replace(/&?#(?=[a-z]+;)/gi, '&'));
  const address = /\/\/|\b(?:https?|ftp|javascript):/i;
  return (
    address.test(plain) || address.test(plain.replace(/[\t\n]/g, '')) || /\bclick\b|\bhref\b/i.test(plain)
  );
}

/**
 * Formula commands that link, load, style, spell any character, or rename a command (MathJax,
 * "Supported TeX/LaTeX Commands").
 */
const beginning =
  '\\\\(?=(?:href|url|html[a-z]*|includegraphics|style|class|cssId|data|unicode|require|csname|mmlToken|[egx]?def|let|futurelet|bbox|texttip|(?:re)?new[a-z]+|provide[a-z]+)(?![a-z]))';

const outwardCommand = new RegExp(beginning);
const outwardCommands = new RegExp(beginning, 'g');

/** Breaks such commands, also outside of formulas. */
function takenApartCommands(text: string): string {
  return text.replace(outwardCommands, `$&${apart}`);
}

/**
 * Makes the model's text safe to post as Markdown. It notifies no one, closes nothing, commands no
 * bot, and links only to the repository's files and to `hosts`.
 *
 * Hosts: `github.com`, `localhost:8080`, or `*.example.com` for all subdomains. Of HTML only plain
 * inline tags remain.
 *
 * An invisible character breaks whatever GitHub would act on. Surrounding text therefore cannot
 * turn it into code or back. A keyword at the end closes no issue at the beginning of another such
 * text.
 *
 * Certain code keeps every visible character; other code marks become text. Idempotent.
 */
export function neutraliseOutgoing(text: string, hosts: readonly string[] = []): string {
  const visible = joinedSpans(stripInvisible(text).text.replace(/\r\n?/g, '\n'));
  let done = '';
  let last = 0;
  const prose = (part: string) => {
    const safe = neutraliseProse(part, done.slice(done.lastIndexOf('\n', done.length - 1) + 1), hosts);
    return done === '' ? closedStart(safe) : safe;
  };
  for (const region of codeRegions(visible, { html: false, escaping: true })) {
    done += prose(visible.slice(last, region.whole.start)) + safeCode(visible, region);
    last = region.whole.end;
  }
  return done + closedEnd(prose(visible.slice(last)));
}

/** A code span with a line end in it, within one paragraph. */
const wrappedSpan =
  /(?<![`\\])(`{1,2})(?!`)[^`\n]{1,300}\n(?![ \t]*(?:[-*+>#|]|\d+[.)]|\n))[^`\n]{1,300}\1(?!`)/g;

/** Puts wrapped code spans on one line, which reads the same (CommonMark, "Code spans"). */
function joinedSpans(text: string): string {
  let done = '';
  let last = 0;
  const joined = (part: string) => part.replace(wrappedSpan, (span) => span.replace(/[ \t]*\n[ \t]*/, ' '));
  for (const { whole } of codeRegions(text, { html: false, escaping: true })) {
    done += joined(text.slice(last, whole.start)) + text.slice(whole.start, whole.end);
    last = whole.end;
  }
  return done + joined(text.slice(last));
}

/** The signs before a name. A single one within a word notifies no one. */
const mention = /(?<!@)@+(?=[a-z0-9])/gi;

/** Keywords that close issues (GitHub Docs, "Linking a pull request to an issue"). */
const closing =
  /(?<![a-z0-9])((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:]+)(?:((?:[\w.-]{1,100}\/[\w.-]{1,100})?)(?:#|GH-)(?=\d)|https?:\/\/(?=\S+?\/(?:issues|pull)\/\d))/gi;

/**
 * The same for places that show plain text: commit messages and titles. Mentions lose their `@`;
 * after a closing keyword, numbers lose their `#` and addresses their `https://`. Words that skip
 * workflows are broken (GitHub Docs, "Skipping workflow runs").
 */
export function neutralisePlain(text: string): string {
  return stripInvisible(text)
    .text.replace(mention, (_, at: number, all: string) => (/\w/.test(all.charAt(at - 1)) ? '@' : ''))
    .replace(closing, (_, keyword: string, repository = '') =>
      repository === '' ? keyword : `${keyword}${repository} `,
    )
    .replace(/\[((?:skip|no) (?:ci|actions)|(?:ci|actions) skip)\]/gi, '($1)')
    .replace(/^(skip-checks|[a-z-]+-by|anode-run)\s*:/gim, '$1 ');
}

/**
 * A pair of formatting tags around text of one line, or a line break. The content has nothing that
 * could split the pair: no table cell, link, escape, formula or tag. HTML readers drop an unpaired
 * tag and join the text around it.
 */
const plainTags = /<(sub|sup|kbd|b|i|em|strong)>(?=\s*[^<\s])[^<>\n|\\$[\]]{1,500}<\/\1>|<br ?\/?>/iy;

/** A line that starts with a slash and a word but is no path: a bot command. */
const command = new RegExp(
  String.raw`((?:^|<br\s?\/?>)(?:[^\p{L}\p{N}\n/&<]|\d{1,9}[.)]|${entity}|${shortTag})*)(?=\/${markup}*[a-z][\w-]*(?!\w|[/.-]+\w))`,
  'gimu',
);

/**
 * Neutralises Markdown outside of code. `before` is the text before it on its line. No code mark
 * remains.
 */
function neutraliseProse(text: string, before: string, hosts: readonly string[]): string {
  const plain = withoutTags(text, before)
    // A backslash before a mark would escape the reference.
    .replace(
      /(?<!\\)(\\*)(`+)/g,
      (_, slashes: string, marks: string) => slashes.slice(slashes.length % 2) + '&#96;'.repeat(marks.length),
    )
    .replace(
      /(?<!\\)(\\*)(~{3,})/g,
      (_, slashes: string, marks: string) =>
        slashes.slice(slashes.length % 2) + '&#126;'.repeat(marks.length),
    )
    // References that spell the patterns below, or invisible characters.
    .replace(/&(?=(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{1,20});)/gi, (mark, name: string) =>
      disguises(`&${name};`) ? mark + apart : mark,
    );
  return takenApartMentions(
    takenApartClosing(neutraliseLinks(takenApartCommands(plain), hosts)).replace(
      command,
      (found, _, at: number) => (at === 0 && before !== '' && !/<br/i.test(found) ? found : found + apart),
    ),
  );
}

/**
 * Returns true if a reference stands for a letter, a digit, a sign that GitHub acts on, or
 * something invisible.
 */
function disguises(reference: string): boolean {
  const character = decodeEntities(reference);
  return (
    character !== reference &&
    (/^[a-z0-9@#/:\\]$/i.test(character) || character.replace(invisible, '') === '')
  );
}

/** Invisible markup before a name. */
const name = new RegExp(`^${markup}*(?=[a-z0-9])`, 'i');

/** Breaks names after an `@`, except within e-mail addresses. */
function takenApartMentions(text: string): string {
  const parts = text.split('@');
  return parts
    .map((part, at) => {
      if (at === 0) return part;
      const before = parts[at - 1] ?? '';
      const inWord = /[a-z0-9]$/i.test(before) && !(at > 1 && /^[\w.+-]*$/.test(before));
      return `@${inWord ? part : part.replace(name, `$&${apart}`)}`;
    })
    .join('');
}

/** Escapes all tags but plain pairs, and line breaks after a word or code on their line. */
function withoutTags(text: string, before: string): string {
  let [word, from, keptUntil] = [before.trim() !== '', 0, 0];
  return text.replace(/<(?=[a-z/!?])/gi, (bracket, at: number) => {
    // The closing tag of a kept pair.
    if (at < keptUntil) return bracket;
    // Each character is read once: a line may hold thousands of brackets.
    const since = text.slice(from, at);
    const line = since.slice(since.lastIndexOf('\n') + 1);
    word = (word && line.length === since.length) || /\p{L}/u.test(line);
    from = at;
    plainTags.lastIndex = at;
    const found = plainTags.exec(text);
    // An escaped tag is no tag. Alone on its line, a break begins an HTML block.
    if (found === null || text.charAt(at - 1) === '\\' || (found[1] === undefined && !word)) return '&lt;';
    keptUntil = at + found[0].length;
    return bracket;
  });
}

/** A part of an address, up to what could end it for any reader. */
const part = String.raw`[^\s()<>\\\x60"'[\]]*`;

/**
 * Everything GitHub links: destinations, definitions, bare addresses (GFM, "Autolinks
 * (extension)").
 */
const links = new RegExp(
  String.raw`\]\((${part})\)|\](?=[(:])|((?:https?|ftp):\/\/|(?<![a-z0-9/.-])(?=www\.))(${part})`,
  'gi',
);

/** A relative link within the repository. */
const ownPath = /^(?!\/\/)[\w./#?=%+~,-]*$/;

/** An image of the same repository: `![chart](docs/chart.png)`. */
const ownImage = /!\[[^\]\n]{0,300}\]\((?!\/\/)[\w./-]{1,500}\)/y;

/** A host with its port that nothing after it can change: a path follows, or the address ends. */
const authority = /(?=([a-z0-9.-]+))\1(:\d{1,5})?(?=[/?#]|[?!.,:;*_~)\]}'"|]*(?:[ \t\n<]|$))/iy;

/**
 * Breaks links except those to the repository's files and to allowed hosts; the text stays
 * readable. Images of other sites are broken too: viewing one would send its address there.
 * Remaining links contain no `@`.
 */
export function neutraliseLinks(text: string, hosts: readonly string[]): string {
  const images = text.replace(/!(?=\[)/g, (mark, at: number) => {
    ownImage.lastIndex = at;
    return ownImage.test(text) ? mark : mark + apart;
  });
  // XMPP addresses have no slashes (GFM, "Extended protocol autolink").
  const written = images.replace(/(?<=xmpp\\?:)(?!\u200b)/gi, apart);
  return written.replace(links, (found: string, ...groups: [string?, string?, string?, number?]) => {
    const [destination, scheme, rest = '', at = 0] = groups;
    if (destination !== undefined) return linkTo(destination, hosts);
    if (scheme === undefined) return found + apart;
    const host = hostAt(written, at + scheme.length);
    if (host !== null && scheme !== 'ftp://' && isAllowed(host, hosts))
      return scheme + allowedRest(rest, host);
    return scheme === ''
      ? `${rest.charAt(0)}${apart}${withoutLinks(rest.slice(1))}`
      : `${brokenScheme(scheme)}${withoutLinks(rest)}`;
  });
}

/** Returns `](destination)` as allowed. */
function linkTo(destination: string, hosts: readonly string[]): string {
  if (ownPath.test(destination)) return `](${destination})`;
  const scheme = /^(?:https?:)?\/\//i.exec(destination)?.[0] ?? '';
  const host = scheme === '' ? null : hostAt(destination, scheme.length);
  if (host === null || !isAllowed(host, hosts)) return `]${apart}(${neutraliseLinks(destination, hosts)})`;
  const rest = allowedRest(destination.slice(scheme.length), host);
  // The slash ends the host, should this be an address followed by a bracket.
  return `](${scheme}${rest}${rest === host ? '/' : ''})`;
}

/**
 * Returns the host at a position with its port; null if there is none or the following text could
 * change it.
 */
function hostAt(text: string, at: number): string | null {
  authority.lastIndex = at;
  return authority.exec(text)?.[0] ?? null;
}

function isAllowed(host: string, hosts: readonly string[]): boolean {
  const name = host.replace(/:\d+/, '').toLowerCase();
  const plain = name.endsWith('.') ? name.slice(0, -1) : name;
  return hosts.some((one) =>
    one.startsWith('*.')
      ? plain.endsWith(one.slice(1).toLowerCase())
      : [plain, host.toLowerCase()].includes(one.toLowerCase()),
  );
}

/** Removes addresses and mentions from the rest of an allowed address. */
function allowedRest(rest: string, host: string): string {
  return host + withoutLinks(rest.slice(host.length)).replaceAll('@', '%40');
}

const withoutLinks = (text: string): string =>
  text.replaceAll('://', `:${apart}//`).replace(/(?<![a-z0-9/.-])w(?=ww\.)/gi, `$&${apart}`);

const brokenScheme = (scheme: string): string => scheme.replace('//', `${apart}//`);
