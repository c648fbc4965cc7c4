import * as z from 'zod';
import type { Json } from '../../contract/json.ts';
import { Level } from '../../contract/levels.ts';
import { visibleStart } from '../../tools/text/visible-text.ts';
import { type ExternalSchema, externalSchema } from './input-schema.ts';

/** A tool that a program declares. */
export interface DeclaredTool {
  /** The program's name for it. */
  readonly given: string;
  /** The registered name: the prefix and the name in plain letters. */
  readonly name: string;
  readonly description: string;
  readonly schema: ExternalSchema;
  readonly level: Level;
  /** Its own time-out; null for `tools.externalTimeout`. */
  readonly timeoutSeconds: number | null;
}

const longestDescription = 4_000;
const longestTimeout = 1_800;

/** A parameter in short: a description, or type and description as in Amp's toolboxes. */
const ShortArgument = z.union([z.string(), z.tuple([z.string(), z.string()])]);

const Declaration = z.object({
  name: z.string(),
  description: z.string().trim().min(1),
  args: z.json().optional(),
  inputSchema: z.json().optional(),
  input_schema: z.json().optional(),
  permission: Level.default('confirm_execute'),
  timeout_seconds: z.number().positive().optional(),
});

/**
 * Reads a tool that a program declares. A problem is a clause with the program as its subject;
 * `verb` is how it declares: `described itself`. `args` is a map of names to descriptions, all
 * optional, or a whole JSON Schema. `hide` removes the program's secrets before texts are cut.
 */
export function readDeclaredTool(
  json: unknown,
  {
    prefix,
    verb,
    hide = (text) => text,
  }: { readonly prefix: string; readonly verb: string; readonly hide?: (text: string) => string },
): DeclaredTool | { readonly problem: string } {
  const parsed = Declaration.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = issue?.path.join('.') ?? '';
    return { problem: `${verb} wrongly${key === '' ? '' : ` at ${key}`}: ${issue?.message ?? ''}` };
  }
  const { args, description, permission, timeout_seconds: seconds } = parsed.data;
  const name = externalName(prefix, parsed.data.name);
  if (name === null)
    return {
      problem: `has a name without a letter or digit: ${JSON.stringify(visibleStart(parsed.data.name, 80, hide))}`,
    };
  const { inputSchema = parsed.data.input_schema } = parsed.data;
  const named = schemaOf(args);
  // A map of names is complete; a schema may allow more.
  const schema = externalSchema(inputSchema ?? named, {
    closed: inputSchema === undefined && named !== args,
  });
  if ('problem' in schema) return { problem: `has a schema that ${schema.problem}` };
  return {
    given: parsed.data.name,
    name,
    description: visibleStart(description, longestDescription, hide).trim(),
    schema,
    level: permission,
    timeoutSeconds: seconds === undefined ? null : Math.min(seconds, longestTimeout),
  };
}

/** Converts arguments to a JSON Schema: a schema, or a map of names to descriptions or schemas. */
function schemaOf(args: Json | undefined): Json | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const { properties, type } = args;
  const isSchema = (typeof properties === 'object' && properties !== null) || type === 'object';
  if (isSchema || combinations.some((key) => key in args)) return args;
  const named = Object.entries(args).map(([name, declared]) => {
    const short = ShortArgument.safeParse(declared).data;
    if (short === undefined) return [name, declared] as const;
    // A description alone gives no type: a program may take a number as text.
    if (typeof short === 'string') return [name, { description: short }] as const;
    return [name, { type: short[0], description: short[1] }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(named) };
}

const combinations = ['$ref', 'anyOf', 'oneOf', 'allOf'];

/** Maximum characters of a tool's name for providers. */
const longest = 64;

/**
 * The registered name of an external tool: prefix and name in small letters, digits, dashes and
 * underscores. Null if nothing of the name is left.
 */
export function externalName(prefix: string, name: string): string | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return plain === '' ? null : `${prefix}${plain}`.slice(0, longest);
}

/** The first 200 characters of a call's arguments, as JSON. */
export function showArguments(args: Json): string {
  const text = JSON.stringify(args);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
