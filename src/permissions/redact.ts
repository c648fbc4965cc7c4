const replacement = '[redacted]';

/** Shorter values would blot out ordinary words. */
const shortestSecret = 6;

/** Longer secrets are looked for piece by piece: as one pattern they would be too large to compile. */
const longestPattern = 256;
const pieceLength = 64;
const shortestPiece = 16;

/** The forms of tokens that are known by their looks, wherever they come from. */
const tokenForms: readonly RegExp[] = [
  // GitHub Docs, "About authentication to GitHub": prefixes of token formats.
  /\bgh[pousr]_[A-Za-z0-9_]{16,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,}/g,
  /\bsk-(?:ant-|proj-|svcacct-|admin-|or-)?[A-Za-z0-9_-]{20,}/g,
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-[A-Za-z0-9_-]{50,}/g,
  /\bglpat-[A-Za-z0-9_-]{20,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bhf_[A-Za-z0-9]{30,}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{20,}/g,
  /\bdop_v1_[a-f0-9]{64}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  // RFC 7519: header and payload are base64url of JSON objects, so both begin with `eyJ`.
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  // RFC 7468; a block that was cut is taken to its end.
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
];

/**
 * The password of a URL's user part (RFC 3986), which stands in remotes and connection strings. The scheme is
 * bounded, or each word of a long dotted line would be read to its end.
 */
const urlPassword = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:)[^\s/@]{3,}(?=@)/gi;

/** The value of an authorization header or option. */
const authorization =
  /(\bauthorization["']?\s*[:=]\s*["']?(?:basic|bearer|token)\s+)[A-Za-z0-9+/=._~-]{8,}/gi;

/**
 * Makes a function that takes secrets out of text: `secrets` themselves (at least 6 characters each) as they
 * are, URL-encoded, JSON-escaped, in hexadecimal (dumps too), and in base64 at any offset; broken over lines; and
 * whatever has the form of a known token. What stands there instead is `[redacted]`. The longest secrets go
 * first, so that none is left in pieces.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets.flatMap((secret) => [secret, secret.trim()]))].filter(
    (secret) => secret.length >= shortestSecret,
  );
  const short = known.filter((secret) => secret.length <= longestPattern);
  const forms = longestFirst(short.flatMap(formsOf));
  const exact = forms.length === 0 ? null : new RegExp(forms.map(brokenOverLines).join('|'), 'g');
  const dumped = short.length === 0 ? null : new RegExp(longestFirst(short).map(hexDump).join('|'), 'gi');
  const pieces = longestFirst(
    known
      .filter((secret) => secret.length > longestPattern)
      .flatMap((secret) => piecesOf(secret).flatMap(formsOf)),
  );
  return (text) => {
    let clean = exact === null ? text : text.replace(exact, replacement);
    if (dumped !== null) clean = clean.replace(dumped, replacement);
    for (const piece of pieces) clean = clean.replaceAll(piece, replacement);
    for (const form of tokenForms) clean = clean.replace(form, replacement);
    return clean.replace(urlPassword, `$1${replacement}`).replace(authorization, `$1${replacement}`);
  };
}

function longestFirst(forms: readonly string[]): string[] {
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The lines of a long secret, such as a private key, cut to handy lengths; short ones say too little to count. */
function piecesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n|\\n/);
  const pieces = lines.flatMap((line) => line.match(new RegExp(`.{1,${pieceLength}}`, 'g')) ?? []);
  return pieces.filter((piece) => piece.length >= shortestPiece);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].flatMap((offset) => base64Core(bytes, offset));
  const hexadecimal = bytes.toString('hex');
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    hexadecimal,
    hexadecimal.toUpperCase(),
    ...encoded.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ].filter((form) => form.length >= shortestSecret);
}

/**
 * The characters of a secret's base64 that do not depend on what stands around it, when `offset` bytes of
 * something else come first in its group of three (RFC 4648).
 */
function base64Core(bytes: Buffer, offset: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const whole = Math.floor(((offset + bytes.length) * 8) / 6);
  const core = padded.slice(Math.ceil((offset * 8) / 6), whole);
  return core.length >= 8 ? [core] : [];
}

/** A pattern for bytes in hexadecimal as dumps and escapes write them: `6b 65 79`, `6b:65`, `6b65 79`, `%6b%65`, `\\x6b\\x65`. */
function hexDump(secret: string): string {
  const bytes = Buffer.from(secret).toString('hex').match(/../g) ?? [];
  return bytes.join(String.raw`(?:\\?x|%|, ?0x|[ :\n-]{1,2})?`);
}

/** A pattern for a form that also matches when lines were broken, and indented, in the middle of it. */
function brokenOverLines(form: string): string {
  const characters = [...form].map((character) => character.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return form.length < 12 ? characters.join('') : characters.join(String.raw`(?:\\?\r?\n[ \t]*)?`);
}
