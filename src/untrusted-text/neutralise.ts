import { closedEnd, closedStart, dress, entity, shortTag, takenApartClosing } from './closing-words.ts';
import { type CodeRegion, codeRegions } from './code-regions.ts';
import { decodeEntities } from './decode-entities.ts';
import { apart, invisible, stripInvisible } from './invisible.ts';

/**
 * Code as it is, closed. It is shown as text where GitHub would draw it with links that work (GitHub Docs, "Creating diagrams"), or offer
 * it as a change by a button: such a change has a field of its own, and is tried.
 */
function shownCode(text: string, { start, end, whole, open }: CodeRegion): string {
  const code = text.slice(start, whole.end);
  const [, mark = '', info = ''] = /^(`{3,}|~{3,})[ \t]*(.*)\n$/.exec(text.slice(whole.start, start)) ?? [];
  const asText = mark !== '' && isActedOn(decodeEntities(info).trim(), text.slice(start, end));
  const head = asText ? `${mark}text\n` : text.slice(whole.start, start);
  return `${head}${code}${open === null ? '' : `${code.endsWith('\n') ? '' : '\n'}${open}`}`;
}

function isActedOn(word: string, code: string): boolean {
  if (/^suggestion/i.test(word)) return true;
  // What the word really is, a reference or an escape may hide.
  if (!/^(?:mermaid|math|geojson|topojson|stl)\b|[&\\]/i.test(word)) return false;
  // Readers of JSON and YAML turn escapes into slashes; formulas are full of commands that are none of these.
  const escapes = /^math\b/i.test(word) ? outwardCommand : /\\(?!n)/;
  return escapes.test(code) || leadsOut(code);
}

/** Whether a drawing may hold an address or a link, also where Mermaid (`#47;`) or HTML has references, or browsers skip white space. */
function leadsOut(code: string): boolean {
  const plain = decodeEntities(code.replace(/&?#(?=x?[\da-f]+;)/gi, '&#').replace(/&?#(?=[a-z]+;)/gi, '&'));
  const address = /\/\/|\b(?:https?|ftp|javascript):/i;
  return (
    address.test(plain) || address.test(plain.replace(/[\t\n]/g, '')) || /\bclick\b|\bhref\b/i.test(plain)
  );
}

/**
 * The beginning of a command in a formula that leads elsewhere, loads or styles something, shows any character, or gives another
 * name to a command (MathJax, "Supported TeX/LaTeX Commands").
 */
const beginning =
  '\\\\(?=(?:href|url|html[a-z]*|includegraphics|style|class|cssId|data|unicode|require|csname|mmlToken|[egx]?def|let|futurelet|bbox|texttip|(?:re)?new[a-z]+|provide[a-z]+)(?![a-z]))';

const outwardCommand = new RegExp(beginning);
const outwardCommands = new RegExp(beginning, 'g');

/** Text in which no formula has such a command: each is taken apart, also where no formula begins. */
function takenApartCommands(text: string): string {
  return text.replace(outwardCommands, `$&${apart}`);
}

/**
 * Makes text of the model harmless to post as Markdown: it notifies nobody, closes nothing, gives bots no command, and links to
 * nothing but the repository's own files and the given hosts (`github.com`, `localhost:8080`, `*.example.com` for all below one).
 * No HTML but plain tags within a line is left. What GitHub would act on is taken apart by a character that does not show, so
 * nothing of it can become code, or stop being code, by what stands around it. No keyword at its end closes an issue at the beginning
 * of another such text. Code beyond doubt keeps every character that shows; any other mark of code becomes text. Applied twice it
 * changes no more.
 */
export function neutraliseOutgoing(text: string, hosts: readonly string[] = []): string {
  const visible = stripInvisible(text).text.replace(/\r\n?/g, '\n');
  let done = '';
  let last = 0;
  const prose = (part: string) => {
    const safe = neutraliseProse(part, done.slice(done.lastIndexOf('\n', done.length - 1) + 1), hosts);
    return done === '' ? closedStart(safe) : safe;
  };
  for (const region of codeRegions(visible, { html: false, escaping: true })) {
    done += prose(visible.slice(last, region.whole.start)) + shownCode(visible, region);
    last = region.whole.end;
  }
  return done + closedEnd(prose(visible.slice(last)));
}

/** The signs before a name. In the middle of a word one alone notifies nobody. */
const mention = /(?<!@)@+(?=[a-z0-9])/gi;

/** GitHub Docs, "Linking a pull request to an issue": keywords that close what they name. */
const closing =
  /(?<![a-z0-9])((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:]+)(?:((?:[\w.-]{1,100}\/[\w.-]{1,100})?)(?:#|GH-)(?=\d)|https?:\/\/(?=\S+?\/(?:issues|pull)\/\d))/gi;

/**
 * The same for a place that shows text as it is: messages of commits and titles. Mentions lose their `@`. Behind a closing word
 * numbers lose their `#` and addresses their `https://`. Words that keep workflows from running are taken apart (GitHub Docs,
 * "Skipping workflow runs").
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
 * A pair of tags that only say how a word looks, around words of one line, or a line break. Nothing within could part the pair for any
 * reader: no cell of a table, link, escape, formula or other tag. A tag without its like is dropped by readers of HTML, which join
 * the text before it and behind it.
 */
const plainTags = /<(sub|sup|kbd|b|i|em|strong)>(?=\s*[^<\s])[^<>\n|\\$[\]]{1,500}<\/\1>|<br ?\/?>/iy;

/** A line that begins with a slash and a word, which is no path: a command of ours or of another bot. */
const command = new RegExp(
  String.raw`((?:^|<br\s?\/?>)(?:[^\p{L}\p{N}\n/&<]|\d{1,9}[.)]|${entity}|${shortTag})*)(?=\/${dress}*[a-z][\w-]*(?!\w|[/.-]+\w))`,
  'gimu',
);

/**
 * Markdown outside of code in which GitHub finds nothing to act on, however it reads it; `before` is what stands before it on its
 * line. No mark of code is left in it.
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
    // References that spell what is looked for below, or what does not show.
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

/** Whether a reference stands for a letter, a digit, a sign that GitHub acts on, or a character that does not show. */
function disguises(reference: string): boolean {
  const character = decodeEntities(reference);
  return (
    character !== reference &&
    (/^[a-z0-9@#/:\\]$/i.test(character) || character.replace(invisible, '') === '')
  );
}

/** Marks and tags, which a reader of the rendered text does not see, before a name. */
const name = new RegExp(`^${dress}*(?=[a-z0-9])`, 'i');

/** Names behind an `@`, but where it stands in an address of e-mail. */
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

/** Text whose tags are none but for plain pairs, and line breaks behind a word, or behind code, on their line. */
function withoutTags(text: string, before: string): string {
  let [word, from, kept] = [before.trim() !== '', 0, 0];
  return text.replace(/<(?=[a-z/!?])/gi, (bracket, at: number) => {
    // The end of a pair that stays.
    if (at < kept) return bracket;
    // Each character is looked at once: a line may hold thousands of brackets.
    const since = text.slice(from, at);
    const line = since.slice(since.lastIndexOf('\n') + 1);
    word = (word && line.length === since.length) || /\p{L}/u.test(line);
    from = at;
    plainTags.lastIndex = at;
    const found = plainTags.exec(text);
    // Escaped, a tag is no tag; alone on its line, a break begins a block of HTML.
    if (found === null || text.charAt(at - 1) === '\\' || (found[1] === undefined && !word)) return '&lt;';
    kept = at + found[0].length;
    return bracket;
  });
}

/** A part of an address: up to what could end it, or begin something else, for any reader. */
const part = String.raw`[^\s()<>\\\x60"'[\]]*`;

/** What GitHub makes links of: destinations, definitions, bare addresses (GitHub Flavored Markdown, "Autolinks (extension)"). */
const links = new RegExp(
  String.raw`\]\((${part})\)|\](?=[(:])|((?:https?|ftp):\/\/|(?<![a-z0-9/.-])(?=www\.))(${part})`,
  'gi',
);

/** A place of the same repository, relative to where it stands. */
const ownPlace = /^(?!\/\/)[\w./#?=%+~,-]*$/;

/** An image of the same repository: `![chart](docs/chart.png)`. */
const ownImage = /!\[[^\]\n]{0,300}\]\((?!\/\/)[\w./-]{1,500}\)/y;

/** A host with its port, which nothing behind it can change: a path follows, or the address is over. */
const authority = /(?=([a-z0-9.-]+))\1(:\d{1,5})?(?=[/?#]|[?!.,:;*_~)\]}'"|]*(?:[ \t\n<]|$))/iy;

/**
 * Prose in which links lead nowhere but to the repository's own files and to allowed hosts. Any other is taken apart, and stays to
 * be read. So is what would show an image of another site: whoever views it tells that site what its address says. No `@` is
 * left in what stays a link.
 */
export function neutraliseLinks(text: string, hosts: readonly string[]): string {
  const images = text.replace(/!(?=\[)/g, (mark, at: number) => {
    ownImage.lastIndex = at;
    return ownImage.test(text) ? mark : mark + apart;
  });
  // An address of XMPP has no slashes (GitHub Flavored Markdown, "Extended protocol autolink").
  const written = images.replace(/(?<=xmpp\\?:)(?!\u200b)/gi, apart);
  return written.replace(links, (found: string, destination?: string, scheme?: string, rest = '', at = 0) => {
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

/** `](destination)` as it may stay. */
function linkTo(destination: string, hosts: readonly string[]): string {
  if (ownPlace.test(destination)) return `](${destination})`;
  const scheme = /^(?:https?:)?\/\//i.exec(destination)?.[0] ?? '';
  const host = scheme === '' ? null : hostAt(destination, scheme.length);
  if (host === null || !isAllowed(host, hosts)) return `]${apart}(${neutraliseLinks(destination, hosts)})`;
  const rest = allowedRest(destination.slice(scheme.length), host);
  // With a path the host ends there also where this is no link, but an address with a bracket behind it.
  return `](${scheme}${rest}${rest === host ? '/' : ''})`;
}

/** The host at a place, with its port; null where it is none, or what follows could change it. */
function hostAt(text: string, at: number): string | null {
  authority.lastIndex = at;
  return authority.exec(text)?.[0] ?? null;
}

function isAllowed(host: string, hosts: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const plain = name.endsWith('.') ? name.slice(0, -1) : name;
  return hosts.some((one) =>
    one.startsWith('*.')
      ? plain.endsWith(one.slice(1).toLowerCase())
      : [plain, host.toLowerCase()].includes(one.toLowerCase()),
  );
}

/** The rest of an address that may stay: without another address in it, and without what could be read as a mention. */
function allowedRest(rest: string, host: string): string {
  return host + withoutLinks(rest.slice(host.length)).replaceAll('@', '%40');
}

const withoutLinks = (text: string): string =>
  text.replaceAll('://', `:${apart}//`).replace(/(?<![a-z0-9/.-])w(?=ww\.)/gi, `$&${apart}`);

const brokenScheme = (scheme: string): string => scheme.replace('//', `${apart}//`);
