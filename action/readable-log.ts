import { parseJson } from '../src/contract/json.ts';

/** Errors with a remedy of their own: a trace would tell their reader nothing. */
const clear = new Set(['ConfigError', 'RunStopped', 'GraphqlResponseError']);

/** Fields that are said elsewhere, or that no reader of a job needs. */
const omitted = new Set(['level', 'time', 'msg', 'run', 'err']);

/**
 * Returns a destination for `createLog` that prints its JSON lines for a person: the message with
 * its fields, `message (key: value)`. A defect adds its trace. Equal lines are printed once.
 */
export function createReadableLog(print: (text: string) => void): { readonly write: (line: string) => void } {
  const printed = new Set<string>();
  return {
    write: (line) => {
      const text = readableEntry(line);
      if (printed.has(text)) return;
      printed.add(text);
      print(text);
    },
  };
}

/** Returns one line of JSON as a person reads it. Any other text is returned as it is. */
export function readableEntry(line: string): string {
  const entry = fieldsOf(parseJson(line));
  if (entry === null) return line;
  const error = fieldsOf(entry.err);
  const facts = Object.entries(entry)
    .filter(([name, value]) => !omitted.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  if (error !== null) facts.push(`error: ${String(error.message)}`);
  const message = String(entry.msg ?? '');
  const text = facts.length === 0 ? message : `${message.replace(/\.$/u, '')} (${facts.join(', ')})`;
  return error === null || isClear(error) ? text : `${text}\n${String(error.stack ?? '')}`.trimEnd();
}

/** True for an error that a person can act on, and for an answer of GitHub. */
const isClear = ({ name, status }: Readonly<Record<string, unknown>>): boolean =>
  typeof status === 'number' || clear.has(String(name));

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
