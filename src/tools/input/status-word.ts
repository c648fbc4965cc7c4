/** Words of other lists for a task that is not begun. */
const notBegun = ['open', 'pending', 'todo', 'not_started', 'planned'];

/** Words of other lists for the other two states. */
const others: Readonly<Record<string, string>> = {
  active: 'in_progress',
  doing: 'in_progress',
  started: 'in_progress',
  done: 'completed',
  complete: 'completed',
  finished: 'completed',
  closed: 'completed',
};

/**
 * Normalises the state of a task. `open` is this list's word for one not begun. A blank counts as
 * missing; unknown words are returned for the schema to refuse.
 */
export function statusWord(status: unknown, open: 'open' | 'pending'): unknown {
  if (typeof status !== 'string') return status;
  const word = status
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (word === '') return undefined;
  return notBegun.includes(word) ? open : (others[word] ?? word);
}
