/** Words that lists elsewhere use for a task nobody has begun. */
const notBegun = ['open', 'pending', 'todo', 'not_started', 'planned'];

/** The same for the other two states. */
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
 * The state of a task in our word for it, whatever its spelling; `open` is what this list calls one that nobody has
 * begun. A blank counts as left out; anything else stays as it is, for the schema to judge.
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
