const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

/**
 * Parses a path quoted by git, with C escapes and octal bytes (git-config(1), `core.quotePath`).
 * `rest` is the text after the closing quote.
 */
export function parseQuotedPath(text: string): { path: string; rest: string } {
  const quoted = /^"(?<body>(?:[^"\\]|\\.)*)"/s.exec(text);
  const body = quoted?.groups?.body;
  if (quoted === null || body === undefined) return { path: text, rest: '' };
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain] of body.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (letter !== undefined) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]));
    else bytes.push(Buffer.from(plain ?? ''));
  }
  return { path: Buffer.concat(bytes).toString('utf8'), rest: text.slice(quoted[0].length) };
}
