import * as z from 'zod';

/** Maximum characters of a URL. */
const longest = 2_000;

/**
 * Normalises a URL as a model writes it, scheme optional, for rules and requests alike. Removes
 * what has no meaning (RFC 3986, 6.2.2.2): the fragment, a dot at the host's end, needless escapes.
 * Null for no URL, another scheme or credentials.
 */
function webUrl(text: string): string | null {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}

/** The argument of a tool that is a URL, in the form of `webUrl`. */
export function urlInput() {
  return z
    .string()
    .max(longest)
    .transform((text, context) => {
      const url = webUrl(text);
      if (url !== null) return url;
      context.addIssue('it has to be an http or https URL without a user name and a password');
      return z.NEVER;
    });
}
