import { apart } from './invisible.ts';

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
