import * as z from 'zod';
import { type Json, parseJson } from '../../contract/json.ts';
import { Level } from '../../contract/levels.ts';
import { externalName } from '../external/external-name.ts';
import { type ExternalSchema, externalSchema } from '../external/input-schema.ts';
import { readTextDescription } from './text-description.ts';

/** What a toolbox program says of itself. */
export interface ToolboxDescription {
  /** As it is registered: `tb__` and the name in plain letters. */
  readonly name: string;
  readonly description: string;
  readonly schema: ExternalSchema;
  readonly level: Level;
  /** Its own limit; null leaves it to `tools.externalTimeout`. */
  readonly timeoutSeconds: number | null;
  /** What its arguments are given as: one JSON object, or lines `key: value` where it described itself in lines. */
  readonly takes: 'json' | 'lines';
}

const longestDescription = 4_000;
const longestTimeout = 1_800;

/** A parameter in short: its description, or type and description as Amp's toolboxes write them. */
const ShortArgument = z.union([z.string(), z.tuple([z.string(), z.string()])]);

const Description = z.object({
  name: z.string(),
  description: z.string().trim().min(1),
  args: z.json().optional(),
  inputSchema: z.json().optional(),
  input_schema: z.json().optional(),
  permission: Level.default('confirm_execute'),
  timeout_seconds: z.number().positive().optional(),
});

/**
 * Reads what a program printed when it was asked to describe itself: a JSON object, or lines `name: …`,
 * `description: …`, `argument: type description`. Returns a problem, a clause with the program as its subject, for
 * anything else. `args` is a map of names to descriptions or a whole JSON Schema; of a map no argument is required, as it
 * says nothing of that.
 */
export function readDescription(printed: string): ToolboxDescription | { readonly problem: string } {
  const text = printed.trim();
  if (text === '') return { problem: 'described itself with nothing' };
  const lines = text.startsWith('{') ? null : readTextDescription(text);
  const json = lines === null ? parseJson(text) : lines;
  if (json === undefined)
    return { problem: `described itself by neither JSON nor lines such as "name: …": ${excerpt(text)}` };
  const parsed = Description.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = issue?.path.join('.') ?? '';
    return { problem: `described itself wrongly${key === '' ? '' : ` at ${key}`}: ${issue?.message ?? ''}` };
  }
  const { args, description, permission, timeout_seconds: seconds } = parsed.data;
  const name = externalName('tb__', parsed.data.name);
  if (name === null) return { problem: `has a name without a letter or digit: ${excerpt(parsed.data.name)}` };
  const schema = externalSchema(parsed.data.inputSchema ?? parsed.data.input_schema ?? schemaOf(args));
  if ('problem' in schema) return { problem: `has a schema that ${schema.problem}` };
  return {
    name,
    description: description.slice(0, longestDescription),
    schema,
    level: permission,
    timeoutSeconds: seconds === undefined ? null : Math.min(seconds, longestTimeout),
    takes: lines === null ? 'json' : 'lines',
  };
}

/** The arguments as a JSON Schema: they may be one, or a map of names to descriptions or to schemas of their own. */
function schemaOf(args: Json | undefined): Json | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const { properties, type } = args;
  const isSchema = (typeof properties === 'object' && properties !== null) || type === 'object';
  if (isSchema || combinations.some((key) => key in args)) return args;
  const named = Object.entries(args).map(([name, said]) => {
    const short = ShortArgument.safeParse(said).data;
    if (short === undefined) return [name, said] as const;
    // Of a description alone the type is not known: what a program wants as text may well come as a number.
    if (typeof short === 'string') return [name, { description: short }] as const;
    return [name, { type: short[0], description: short[1] }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(named) };
}

const combinations = ['$ref', 'anyOf', 'oneOf', 'allOf'];

const excerpt = (text: string): string => JSON.stringify(text.slice(0, 80));
