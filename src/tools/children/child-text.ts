import type { ChildResult } from '../services/children.ts';

/** Renders a child's result for the model: last text, early end, and changed files. */
export function childText(result: ChildResult): string {
  const paths = changedPaths(result);
  const parts = [
    result.answer === '' ? '(The child gave no answer.)' : result.answer,
    result.conclusion === 'success' ? '' : endedEarly(result),
    paths.length === 0 ? '' : `[files it changed: ${paths.join(', ')}]`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns each file that a child changed, once, in the order of first changes. */
export function changedPaths({ entries }: ChildResult): string[] {
  const paths = entries.flatMap((entry) => (entry.type === 'change' ? [entry.change.path] : []));
  return [...new Set(paths)];
}

/** Describes the early end of a child, with the limit it reached. */
function endedEarly({ conclusion, entries }: ChildResult): string {
  const stop = entries
    .flatMap((entry) => (entry.type === 'run.finished' ? [entry.stop?.message] : []))
    .at(-1);
  return `[the child ended early (${conclusion})${stop === undefined ? '' : `: ${stop}`} What stands above is what it had.]`;
}
