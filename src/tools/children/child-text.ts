import type { ChildResult } from '../services/children.ts';

/** What the model gets of a child: its last words, how it ended where that was not well, and the files it changed. */
export function childText(result: ChildResult): string {
  const paths = changedPaths(result);
  const parts = [
    result.answer === '' ? '(The child gave no answer.)' : result.answer,
    result.conclusion === 'success' ? '' : endedEarly(result),
    paths.length === 0 ? '' : `[files it changed: ${paths.join(', ')}]`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Each file that a child changed, once, in the order of its first change. */
export function changedPaths({ entries }: ChildResult): string[] {
  const paths = entries.flatMap((entry) => (entry.type === 'change' ? [entry.change.path] : []));
  return [...new Set(paths)];
}

/** How a child that did not come to its end ended, with the limit it came to. */
function endedEarly({ conclusion, entries }: ChildResult): string {
  const stop = entries
    .flatMap((entry) => (entry.type === 'run.finished' ? [entry.stop?.message] : []))
    .at(-1);
  return `[the child ended early (${conclusion})${stop === undefined ? '' : `: ${stop}`} What stands above is what it had.]`;
}
