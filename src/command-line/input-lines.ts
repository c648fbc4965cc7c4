import { createInterface, type Interface } from 'node:readline';

/** Reads standard input by line, from the first request until closed or cancelled. */
export function inputLines(signal: AbortSignal) {
  let open: { readonly lines: Interface; readonly next: AsyncIterator<string> } | null = null;
  return {
    async readLine(): Promise<string | null> {
      if (open === null) {
        const lines = createInterface({ input: process.stdin, signal });
        open = { lines, next: lines[Symbol.asyncIterator]() };
      }
      const { value, done } = await open.next.next();
      return done === true ? null : value;
    },
    close: () => open?.lines.close(),
  };
}
