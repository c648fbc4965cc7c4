import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { type Json, type JsonObject, parseJson } from '../../contract/json.ts';
import { plainArguments } from '../../tools/registry/plain-arguments.ts';
import { repairObject } from '../json/repair-object.ts';
import type { FoundTool } from '../profiles/tool-set.ts';

/** A call's arguments as the tool takes them. */
export interface ParsedInput {
  readonly input: JsonObject;
  /** Arguments that the tool does not have. They are omitted. */
  readonly ignored: readonly string[];
  /**
   * Arguments that an extension's tool does not declare, but whose schema allows them. They are
   * passed on.
   */
  readonly undeclared: readonly string[];
}

/**
 * Parses what the model wrote into the tool's input. Broken JSON is repaired only if exactly one
 * reading is possible (a cut string is not). Aliases of arguments are renamed, and an alias's fixed
 * arguments are added. Throws `ToolError('invalid_input')` that names each wrong argument; never
 * falls back to `{}`.
 */
export function parseToolInput(found: FoundTool, raw: Json): ParsedInput {
  const { tool, fixed } = found;
  const value = typeof raw === 'string' ? repair(raw, tool.name) : raw;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ToolError(
      'invalid_input',
      `${tool.name} takes a JSON object of arguments, not ${describe(value)}.`,
    );
  }
  const renamed: JsonObject = { ...fixed };
  const aliases = new Map(Object.entries(tool.argumentAliases ?? {}));
  for (const [key, argument] of Object.entries(value)) {
    const name = aliases.get(key);
    // An argument under its own name wins over one under an alias.
    if (name === undefined) renamed[key] = argument;
    else if (!Object.hasOwn(value, name)) renamed[name] = argument;
  }
  const known = tool.input instanceof z.ZodObject ? Object.keys(tool.input.shape) : null;
  const parsed = tool.input.safeParse(
    tool.schema === undefined ? renamed : plainArguments(tool.schema, renamed),
    { error: describeIssue },
  );
  if (!parsed.success) {
    const problems =
      firstOfEach(parsed.error.issues)
        .map((issue) => explain(issue, known))
        .join('; ') + givenNames(parsed.error, renamed);
    throw new ToolError(
      'invalid_input',
      `Wrong arguments for ${tool.name}: ${problems}. Call it again, corrected.`,
    );
  }
  const input = parsed.data as JsonObject;
  // A schema without arguments may simply not declare them.
  const unknown = known === null ? [] : Object.keys(renamed).filter((name) => !known.includes(name));
  return {
    input,
    ignored: unknown.filter((name) => !Object.hasOwn(input, name)),
    undeclared: known?.length === 0 ? [] : unknown.filter((name) => Object.hasOwn(input, name)),
  };
}

function repair(text: string, toolName: string): JsonObject {
  if (text.trim() === '') return {};
  const repaired = repairObject(text);
  if ('object' in repaired) return repaired.object;
  const other = parseJson(text);
  if (other !== undefined) {
    throw new ToolError(
      'invalid_input',
      `${toolName} takes a JSON object of arguments, not ${describe(other as Json)}.`,
    );
  }
  throw new ToolError(
    'invalid_input',
    `The arguments of ${toolName} are not valid JSON (${repaired.problem}) and were not run. Send one complete JSON object.`,
  );
}

/** One problem of each argument: a value that is not an array cannot also be too long. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const places = issues.map(({ path }) => JSON.stringify(path));
  return issues.filter((_, index) => places.indexOf(places[index] ?? '') === index);
}

function explain(issue: z.core.$ZodIssue, known: readonly string[] | null): string {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0 && known !== null)
    return `there is no ${issue.keys.join(', ')} (there is: ${known.join(', ') || 'no argument at all'})`;
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  if (missing && where !== '') return `${issue.path.join('.')} is missing`;
  return `${where}${issue.message}`;
}

/**
 * The names that were given where one is missing, so that a model sees which of its own was not
 * understood.
 */
function givenNames(error: z.ZodError, input: JsonObject): string {
  for (const { path } of error.issues) {
    const holder = path.slice(0, -1).reduce<unknown>(valueAt, input);
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) continue;
    const last = path.at(-1);
    if (last === undefined || valueAt(holder, last) !== undefined) continue;
    const names = Object.keys(holder);
    return names.length === 0 ? '' : ` (given: ${names.slice(0, 20).join(', ')})`;
  }
  return '';
}

function valueAt(holder: unknown, key: PropertyKey): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<PropertyKey, unknown>)[key]
    : undefined;
}

function describe(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

type RawIssue = z.core.$ZodRawIssue;

/** A string is quoted up to this many characters. */
const longestQuote = 40;

/**
 * Describes an issue of a schema so that a model can act on it: `must be a whole number, not
 * "2.5"`. Used as the error map of a parse; messages of the schema itself precede it. Undefined:
 * Zod's own message is used.
 */
export function describeIssue(issue: RawIssue): string | undefined {
  if (issue.code === 'too_small') return `must ${bound(issue, 'least')}`;
  if (issue.code === 'too_big') return `must ${bound(issue, 'most')}`;
  if (issue.input === undefined) return undefined;
  if (issue.code === 'invalid_type')
    return `must be ${types[String(issue.expected)] ?? issue.expected}, not ${describeValue(issue.input)}`;
  if (issue.code !== 'invalid_value') return undefined;
  const values = (issue.values as readonly unknown[]).map((value) => JSON.stringify(value));
  return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}, not ${describeValue(issue.input)}`;
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
  const exclusive = side === 'least' ? 'more than' : 'less than';
  const beyond = issue.inclusive === false ? exclusive : `at ${side}`;
  if (issue.origin === 'string' && side === 'least' && limit === 1) return 'not be empty';
  const unit = units[String(issue.origin)];
  if (unit === undefined) return `be ${beyond} ${limit}, not ${describeValue(issue.input)}`;
  return `have ${beyond} ${limit} ${limit === 1 ? unit.one : unit.many}`;
}

const units: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  array: { one: 'entry', many: 'entries' },
  set: { one: 'entry', many: 'entries' },
  string: { one: 'character', many: 'characters' },
};

/** A value that came: itself where it is short, else its type. */
function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length > longestQuote ? 'a string' : JSON.stringify(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : `an ${typeof value}`;
}
