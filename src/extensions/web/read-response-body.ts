import type { WebAnswer } from './web-access.ts';

/** An answer as a page, a text or binary data. */
export interface WebBody {
  readonly kind: 'page' | 'json' | 'text' | 'binary';
  /** The media type that it was sent with, or what it looks like; without parameters. */
  readonly type: string;
  /** '' for `binary`. */
  readonly text: string;
}

/** Bytes in which a page may declare its charset (HTML, "determining the character encoding"). */
const prescan = 1_024;
const pages = new Set(['text/html', 'application/xhtml+xml']);
const texts =
  /^(?:text\/|application\/(?:(?:.+\+)?(?:json|xml|yaml)|x-yaml|(?:x-)?(?:java|ecma|type)script|x-(?:sh|httpd-php|ndjson|tex)|toml|graphql|sql|rtf$)|image\/svg\+xml)/;

/** Reads an answer by its type; without a useful type by its bytes. */
export function readBody({ headers, bytes }: Pick<WebAnswer, 'headers' | 'bytes'>): WebBody {
  const header = headers.get('content-type') ?? '';
  const [sent = ''] =
    /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,80}(?=\s*(?:;|$))/.exec(header.trim().toLowerCase()) ?? [];
  const vague = sent === '' || sent === 'application/octet-stream' || sent === 'text/plain';
  if (!vague && !pages.has(sent) && !texts.test(sent)) return { kind: 'binary', type: sent, text: '' };
  const charset = charsetOf(header, bytes);
  // Two bytes a character: what looks like zeros is none.
  if (!/^utf-16/.test(charset) && bytes.subarray(0, 8_000).includes(0))
    return { kind: 'binary', type: sent || 'application/octet-stream', text: '' };
  const text = new TextDecoder(charset).decode(bytes);
  if (sent === 'application/octet-stream' && text.includes('\u{fffd}'))
    return { kind: 'binary', type: sent, text: '' };
  if (pages.has(sent)) return { kind: 'page', type: sent, text };
  if (
    sent === '' &&
    /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 2_000))
  )
    return { kind: 'page', type: 'text/html', text };
  return { kind: /json$/.test(sent) ? 'json' : 'text', type: sent || 'text/plain', text };
}

/** The charset by byte order mark, header or page; else UTF-8. */
function charsetOf(header: string, bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const start = bytes.subarray(0, prescan).toString('latin1');
  const said = /charset\s*=\s*["']?([\w:.-]{1,40})/i;
  // A page readable up to here is not in UTF-16.
  const own = /<meta[^>]*?charset\s*=\s*["']?([\w:.-]{1,40})/i
    .exec(start)?.[1]
    ?.replace(/^utf-16.*$/i, 'utf-8');
  for (const name of [said.exec(header)?.[1], own]) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name).encoding;
    } catch {
      // An unknown name is ignored.
    }
  }
  return 'utf-8';
}
