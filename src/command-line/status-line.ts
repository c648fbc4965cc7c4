import { logLine } from './log-line.ts';

/** A terminal whose last line can be replaced: standard error. */
export interface Terminal {
  /** Line width in characters; 0 if unknown. */
  readonly columns: number;
  /** True to use colours. Default: false. */
  readonly coloured?: boolean;
  write(text: string): unknown;
}

/**
 * Returns a function that displays one line on a terminal, replacing the previous one; null erases
 * it.
 */
export function statusLine(terminal: Terminal): (words: string | null) => void {
  let isShown = false;
  const most = (terminal.columns > 0 ? terminal.columns : 80) - 1;
  return (words) => {
    if (words === null && !isShown) return;
    isShown = words !== null;
    // Returns to the start of the line and erases it (ECMA-48, "EL"). A wrapped line could not be
    // erased.
    terminal.write(`\r\u001b[2K${logLine(words ?? '').slice(0, most)}`);
  };
}
