import type { TextResult } from './search-text.ts';

/** What a search found and does not show, in words; nothing may be called not found then. */
export function droppedNotes({ truncated, tooLong }: Omit<TextResult, 'lines'>): string[] {
  return [
    ...(truncated ? ['[output over 256 KiB was dropped; narrow the pattern, path or glob]'] : []),
    ...(tooLong ? ['[there is a match in a line of over 4 MiB, which is not shown; look with bash]'] : []),
  ];
}
