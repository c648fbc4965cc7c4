/** Stands between two characters that would mean something together; a reader sees nothing of it. */
const apart = '\u200b';

const address = String.raw`(?:https?:|ftp:)?\/\/[^\s<>()"'\x60]*(?:\([^\s<>()"'\x60]*\)[^\s<>()"'\x60]*)*`;

/** Links as Markdown has them, in angle brackets, and bare ones (GitHub Flavored Markdown, "Autolinks (extension)"). */
const links = new RegExp(
  [
    String.raw`(?<!!)\[((?:[^[\]\\\n]|\\.){0,500})\]\(\s{0,9}<?(${address})>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s{0,9}\)`,
    String.raw`<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>`,
    String.raw`(?<![\w\x60/@])((?:https?|ftp):\/\/[^\s<>"'\x60|\]]+|www\.[^\s<>"'\x60|\]]+)`,
  ].join('|'),
  'gi',
);

/** A destination without an address of another place in it, however it is escaped. */
const ownPlace = /^\]\(\s{0,9}(?:#|\.{0,2}\/(?!\/))?[\w./#?=%+~,@-]*\)/;

/**
 * Prose in which links lead nowhere but to the repository's own files and to allowed hosts: the address of any other becomes
 * code behind its words. `words` is applied to what is no link; it is told whether its part starts the text.
 */
export function neutraliseLinks(
  text: string,
  hosts: readonly string[],
  words: (part: string, starts: boolean) => string,
): string {
  let done = '';
  let last = 0;
  const other = (part: string) => brokenLinks(words(part, last === 0), hosts);
  for (const match of text.matchAll(links)) {
    const [whole, label, inline, bracketed, bare] = match;
    const url = inline ?? bracketed ?? bare ?? '';
    const closes = /(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:\s*:)?\s+$/i.test(
      text.slice(Math.max(0, match.index - 20), match.index),
    );
    done += other(text.slice(last, match.index));
    last = match.index + whole.length;
    if (allowed(url, hosts) && !closes)
      done += label === undefined ? whole : `[${words(label, false)}](${url})`;
    else if (label === undefined) done += trimmed(url);
    else done += label === '' || label === url ? `\`${url}\`` : `${words(label, false)} (\`${url}\`)`;
  }
  return done + other(text.slice(last));
}

/** A bare address as code; punctuation behind it is no part of it. */
function trimmed(url: string): string {
  let end = url.length;
  while (end > 0 && '?!.,:*_~)'.includes(url.charAt(end - 1))) end -= 1;
  return `\`${url.slice(0, end)}\`${url.slice(end)}`;
}

/** Whatever else Markdown could read as a link to another place is taken apart: odd destinations, and definitions. */
function brokenLinks(text: string, hosts: readonly string[]): string {
  return text
    .replace(/(?<!\\)\](?=\()/g, (bracket, at: number) => {
      const rest = text.slice(at, at + 2_000);
      const url = /^\]\(([^\s()<>\\&]+)\)/.exec(rest)?.[1];
      return ownPlace.test(rest) || (url !== undefined && allowed(url, hosts)) ? bracket : bracket + apart;
    })
    .replace(/^([ \t>*+\d.)-]*\[[^\]\n]+\])(?=:)/gm, `$1${apart}`);
}

/** Whether an address leads to one of the hosts, by `https` (or by `http`, to a host with a port). */
function allowed(url: string, hosts: readonly string[]): boolean {
  const full = url.startsWith('//') ? `https:${url}` : /^www\./i.test(url) ? `https://${url}` : url;
  if (!URL.canParse(full)) return false;
  const { protocol, host, hostname, username, password } = new URL(full);
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false;
  return hosts.some((pattern) =>
    pattern.startsWith('*.')
      ? hostname.endsWith(pattern.slice(1).toLowerCase())
      : [host, hostname].includes(pattern.toLowerCase()),
  );
}
