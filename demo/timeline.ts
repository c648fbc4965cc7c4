import { styleText } from 'node:util';

/** Prints what a user would have seen, as it happens, with the time since the scene began. */
export interface Timeline {
  scene(title: string): void;
  /** `who` did `what`; further lines are shown below it, indented. */
  say(who: string, what: string, details?: string): void;
  /** Notes that something did not happen; the demo then ends non-zero. */
  missing(what: string): void;
  readonly problems: readonly string[];
}

/** The output of a timeline. */
export interface Screen {
  write(text: string): void;
  /** Columns of a terminal, where lines are broken between words; null for a file or a pipe, where no line is. */
  readonly columns: number | null;
  readonly colours: boolean;
}

type Colour = Parameters<typeof styleText>[0];

/** A timeline on a screen. Long texts are cut at `detailLines` lines. */
export function createTimeline(screen: Screen, detailLines = 14): Timeline {
  let startedAt = performance.now();
  const problems: string[] = [];
  const paint = (colour: Colour, text: string) =>
    screen.colours ? styleText(colour, text, { validateStream: false }) : text;
  /** One line of text: what stands before it, painted already, and before its further lines, which are as wide. */
  const line = (first: string, further: string, text: string, width: number) => {
    const room = screen.columns === null ? Number.POSITIVE_INFINITY : Math.max(20, screen.columns - width);
    for (const [index, part] of brokenAt(text, room).entries())
      screen.write(`${index === 0 ? first : further}${part}\n`);
  };
  const bar = `${' '.repeat(9)}${paint('dim', '│')} `;
  return {
    problems,
    scene(title) {
      startedAt = performance.now();
      screen.write('\n');
      line(`${paint('cyan', '──')} `, '   ', title, 3);
    },
    say(who, what, details) {
      const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  `;
      const [first = '', ...more] = brokenAt(
        `${who}: ${what}`,
        (screen.columns ?? Infinity) - seconds.length,
      );
      const named = first.startsWith(`${who}:`) ? paint('bold', who) + first.slice(who.length) : first;
      screen.write(`${paint('dim', seconds)}${named}\n`);
      for (const part of more) screen.write(`${' '.repeat(seconds.length)}${part}\n`);
      if (details === undefined) return;
      const lines = details.trim().split('\n');
      for (const one of lines.slice(0, detailLines)) line(bar, bar, one, 11);
      if (lines.length > detailLines) line(bar, bar, `… ${lines.length - detailLines} more lines`, 11);
    },
    missing(what) {
      problems.push(what);
      line(`${' '.repeat(9)}${paint('red', '✗')} `, ' '.repeat(11), what, 11);
    },
  };
}

/**
 * Breaks a line between its words into parts of at most `room` characters. A word that is longer, such as an address, stays
 * whole on a line of its own. Further parts keep the indentation of the line.
 */
export function brokenAt(text: string, room: number): string[] {
  if (text.length <= room) return [text];
  const indent = /^\s*/.exec(text)?.[0] ?? '';
  const parts: string[] = [];
  let part = '';
  for (const word of text.slice(indent.length).split(/ +/)) {
    if (part !== '' && indent.length + part.length + 1 + word.length > room) {
      parts.push(indent + part);
      part = word;
    } else part = part === '' ? word : `${part} ${word}`;
  }
  return [...parts, indent + part];
}
