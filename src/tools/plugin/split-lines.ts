const newline = 0x0a;

/**
 * Takes output piece by piece and gives its lines, without their ends, as text: bytes that are no UTF-8 become U+FFFD, a character
 * that two pieces share is whole. Of a line with more than `most` bytes only the beginning is given, once its end has come.
 */
export function splitLines(
  most: number,
  to: { readonly line: (text: string) => void; readonly tooLong: (beginning: string) => void },
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer) => {
    // Beyond what is kept only the length counts.
    if (size < most) parts.push(piece.subarray(0, most - size));
    size += piece.length;
  };
  const end = () => {
    const text = Buffer.concat(parts).toString('utf8');
    const tooLong = size > most;
    parts = [];
    size = 0;
    if (tooLong) to.tooLong(text.slice(0, 1_000));
    else if (text.trim() !== '') to.line(text);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    add(chunk.subarray(from));
  };
}
