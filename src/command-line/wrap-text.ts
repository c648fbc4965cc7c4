/**
 * Wraps text at `width` characters between words. Continuation lines keep the indentation, so lists
 * stay lists. Fenced code and longer words stay as they are.
 */
export function wrapText(text: string, width: number): string {
  let fenced = false;
  return text
    .split('\n')
    .map((line) => {
      const isFence = /^\s*(?:```|~~~)/.test(line);
      if (isFence) fenced = !fenced;
      return fenced || isFence || line.length <= width ? line : wrapLine(line, width);
    })
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const [lead = ''] = /^\s*(?:(?:[-*+>]|\d+[.)])\s+)*/.exec(line) ?? [];
  const indent = ' '.repeat(lead.length);
  const lines: string[] = [];
  let current = lead;
  for (const word of line.slice(lead.length).split(/ +/)) {
    const isEmpty = current.length === lead.length;
    if (!isEmpty && current.length + 1 + word.length > width) {
      lines.push(current);
      current = `${indent}${word}`;
    } else current += isEmpty ? word : ` ${word}`;
  }
  return [...lines, current].join('\n');
}
