import { logLine } from './log-line.ts';

/** What a line can be written to again and again: standard error where it is a terminal. */
export interface Terminal {
  /** Characters that fit into a line; 0 where it does not say. */
  readonly columns: number;
  /** True where colours may be used; left out, none are. */
  readonly coloured?: boolean;
  write(text: string): unknown;
}

/** Shows one line at a time on a terminal, each in place of the one before; null takes it away, so that nothing of it stays. */
export function statusLine(terminal: Terminal): (words: string | null) => void {
  let isShown = false;
  const most = (terminal.columns > 0 ? terminal.columns : 80) - 1;
  return (words) => {
    if (words === null && !isShown) return;
    isShown = words !== null;
    // To the beginning of the line, and all of it erased (ECMA-48, "EL"). What is wider than the terminal could not be taken away.
    terminal.write(`\r\u001b[2K${logLine(words ?? '').slice(0, most)}`);
  };
}
