import * as z from 'zod';

/** Schema of a list; also accepts its JSON as a string. */
export function list<Item>(schema: z.ZodType<Item[]>) {
  return z.preprocess(fromJson, schema);
}

/** Schema of a list of strings; also accepts a single string as a list of one. */
export function stringList(schema: z.ZodType<string[]> = z.array(z.string())) {
  return z.preprocess((value) => {
    const read = fromJson(value);
    return typeof read === 'string' && read !== '' ? [read] : read;
  }, schema);
}

/** Parses a JSON list; anything else is returned for the schema to refuse. */
function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return value;
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : value;
  } catch {
    return value;
  }
}

const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** Schema of a boolean; also accepts the strings `"true"` and `"false"`. */
export function flag() {
  return z.preprocess((value) => booleans.get(value) ?? value, z.boolean());
}

/**
 * Schema of an integer; also accepts a string. `form` matches such a string; its group holds the
 * digits.
 */
export function integer(schema: z.ZodType<number> = z.int(), form: RegExp = /^(-?\d{1,15})$/) {
  return z.preprocess((value) => {
    const digits = typeof value === 'string' ? form.exec(value)?.[1] : undefined;
    return digits === undefined ? value : Number(digits);
  }, schema);
}

/** Schema of an optional value; null counts as missing, since many models fill in every field. */
export function unlessNull<Output>(schema: z.ZodType<Output>) {
  return z.preprocess((value) => value ?? undefined, schema.optional()).optional();
}

/** Schema of one glob, or several with commas; also accepts a list, and its JSON. */
export function globs(schema: z.ZodType<string> = z.string()) {
  return z.preprocess((value) => {
    const list = fromJson(value);
    return Array.isArray(list) && list.length > 0 && list.every((glob) => typeof glob === 'string')
      ? list.join(',')
      : value;
  }, schema);
}

/** Other reviewers' words for severities, apart from ours. */
const otherWords: Readonly<Record<string, string>> = {
  blocker: 'critical',
  severe: 'critical',
  error: 'high',
  major: 'high',
  warning: 'medium',
  warn: 'medium',
  moderate: 'medium',
  minor: 'low',
  nit: 'info',
  nitpick: 'info',
  note: 'info',
  trivial: 'info',
  suggestion: 'info',
  informational: 'info',
};

/** Normalises a severity: any case, and other reviewers' words. */
export function severityWord(word: unknown): unknown {
  if (typeof word !== 'string') return word ?? undefined;
  const plain = word.trim().toLowerCase();
  return otherWords[plain] ?? plain;
}

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
