import type * as z from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** A string is quoted up to this many characters. */
const longestQuote = 40;

/**
 * An issue of a schema as a model can act on it: `must be a whole number, not "2.5"`. For the error map of a parse: what a schema says
 * itself comes before it. Undefined leaves the issue in the words of Zod.
 */
export function issueInWords(issue: RawIssue): string | undefined {
  if (issue.code === 'too_small') return `must ${bound(issue, 'least')}`;
  if (issue.code === 'too_big') return `must ${bound(issue, 'most')}`;
  if (issue.input === undefined) return undefined;
  if (issue.code === 'invalid_type')
    return `must be ${types[String(issue.expected)] ?? issue.expected}, not ${inWords(issue.input)}`;
  if (issue.code !== 'invalid_value') return undefined;
  const values = (issue.values as readonly unknown[]).map((value) => JSON.stringify(value));
  return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}, not ${inWords(issue.input)}`;
}

const types: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/** The broken bound of a number, or of the count of characters or entries. */
function bound(issue: RawIssue, side: 'least' | 'most'): string {
  const limit = Number(side === 'least' ? issue.minimum : issue.maximum);
  const beyond = issue.inclusive === false ? (side === 'least' ? 'more than' : 'less than') : `at ${side}`;
  if (issue.origin === 'string' && side === 'least' && limit === 1) return 'not be empty';
  const unit = units[String(issue.origin)];
  if (unit === undefined) return `be ${beyond} ${limit}, not ${inWords(issue.input)}`;
  return `have ${beyond} ${limit} ${limit === 1 ? unit.one : unit.many}`;
}

const units: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  array: { one: 'entry', many: 'entries' },
  set: { one: 'entry', many: 'entries' },
  string: { one: 'character', many: 'characters' },
};

/** A value that came: itself where it is short, else its type. */
function inWords(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length > longestQuote ? 'a string' : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : `an ${typeof value}`;
}
