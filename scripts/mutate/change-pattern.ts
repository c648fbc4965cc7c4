/** One piece of a regular expression: a class, an escape, or a single sign. */
const piece =
  /\[\^?(?:\\.|[^\]\\])*\]|\\[pPux]\{[^}]*\}|\\k<\w+>|\\.|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|[^\\]/gsu;

/**
 * Regular expressions that differ from the given literal in one part: an anchor, quantifier,
 * alternative or flag removed, or a class or an escape inverted. Only those that JavaScript can
 * compile.
 *
 * @param literal as it stands in the source, with slashes and flags
 */
export function changedPatterns(literal: string): string[] {
  const end = literal.lastIndexOf('/');
  const [body, flags] = [literal.slice(1, end), literal.slice(end + 1)];
  const pieces = [...body.matchAll(piece)].map(([text]) => text);
  const bodies = pieces.flatMap((text, at) =>
    [changedPiece(text, pieces[at - 1])].flatMap((changed) =>
      changed === null ? [] : [pieces.toSpliced(at, 1, changed).join('')],
    ),
  );
  const fewerFlags = [...'ims'].filter((flag) => flags.includes(flag)).map((flag) => flags.replace(flag, ''));
  return [
    ...[...bodies, ...withoutAlternative(pieces)].map((text) => ({ text, flags })),
    ...fewerFlags.map((fewer) => ({ text: body, flags: fewer })),
  ]
    .filter(({ text, flags: stored }) => text !== '' && compiles(text, stored))
    .map(({ text, flags: storedPart }) => `/${text}/${storedPart}`);
}

function changedPiece(text: string, before: string | undefined): string | null {
  if (text === '^' || text === '$') return '';
  if (/^\\[bB]$/.test(text)) return '';
  if (/^\\[dDwWsS]$/.test(text)) return turnedCase(text);
  if (text.startsWith('[^')) return `[${text.slice(2)}`;
  if (text.startsWith('[')) return `[^${text.slice(1)}`;
  // A character after a quantifier makes it lazy, which changes the captured text.
  if (/^[*+?]$|^\{/.test(text)) return before === undefined || before === '(' ? null : '';
  const around: Record<string, string> = { '(?=': '(?!', '(?!': '(?=', '(?<=': '(?<!', '(?<!': '(?<=' };
  return around[text] ?? null;
}

function turnedCase(sign: string): string {
  const letter = sign.slice(1);
  return `\\${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}`;
}

/**
 * The pattern without one of the alternatives of a group or of the whole, for each that ends at a
 * `|`.
 */
function withoutAlternative(pieces: readonly string[]): string[] {
  return pieces.flatMap((text, at) => {
    if (text !== '|') return [];
    const start = startOfAlternative(pieces, at);
    return [pieces.toSpliced(start, at - start + 1).join('')];
  });
}

function startOfAlternative(pieces: readonly string[], bar: number): number {
  let depth = 0;
  for (let at = bar - 1; at >= 0; at--) {
    const text = pieces[at] ?? '';
    if (text === ')') depth++;
    else if (text.startsWith('(')) {
      if (depth === 0) return at + 1;
      depth--;
    } else if (text === '|' && depth === 0) return at + 1;
  }
  return 0;
}

function compiles(body: string, flags: string): boolean {
  try {
    new RegExp(body, flags);
    return true;
  } catch {
    return false;
  }
}
