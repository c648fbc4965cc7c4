import type { Outcome } from '../../contract/outcome.ts';
import { cutText, listed, oneLine } from '../text/markdown.ts';

/** Characters of one command, and of all that are named. */
const longest = { command: 100, all: 400 } as const;

/** Renders which commands prove the change of a run, in one line; '' without one. */
export function renderProof({ proven = [] }: Pick<Outcome, 'proven'>): string {
  if (proven.length === 0) return '';
  const names = proven.map(({ command }) => cutText(oneLine(command), longest.command, '…'));
  const verb = proven.length === 1 ? 'passes' : 'pass';
  return `${listed(names, longest.all)} failed before the change and ${verb} after it.`;
}
