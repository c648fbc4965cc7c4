import { oneLine } from './markdown.ts';

/** A text as the cell of a table (GitHub Flavored Markdown Spec, "Tables"): on one line, its bars escaped. */
export function tableCell(text: string): string {
  return oneLine(text).replaceAll(/\\*\|/g, (found) => `${'\\'.repeat((found.length - 1) * 2)}\\|`);
}
