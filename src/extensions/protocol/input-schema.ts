import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import { isBoundedJson } from './message-lines.ts';

/** Maximum schemas that references may add. */
const mostReferred = 4_000;

/** Keywords left to the tool, and those that only references need. */
const uncheckedKeywords = new Set(['pattern', 'patternProperties', 'format', '$defs', 'definitions']);

/** Keywords whose value is no schema, whatever it looks like. */
const data = new Set(['enum', 'const', 'default', 'examples']);

/**
 * Prepares a schema for checking: drops regular expressions and inlines references. Circular and
 * unknown references accept anything. So do all others once too many schemas were inlined:
 * references can multiply without end.
 */
export function checkableSchema(root: JsonObject): Json {
  let left = mostReferred;
  const walk = (schema: Json, within: readonly Json[]): Json => {
    if (Array.isArray(schema)) return schema.map((one) => walk(one, within));
    if (!isJsonObject(schema)) return schema;
    if (within.length > 0) left -= 1;
    if (left < 0) return {};
    if (typeof schema.$ref === 'string') {
      const found = referred(root, schema.$ref);
      return found === null || within.includes(found) ? {} : walk(found, [...within, found]);
    }
    return Object.fromEntries(
      Object.entries(schema).flatMap(([key, value]) => {
        if (uncheckedKeywords.has(key)) return [];
        if (data.has(key)) return [[key, value] as const];
        // Names of arguments are no keywords: one may be called `pattern`.
        if (key === 'properties' && isJsonObject(value))
          return [[key, eachOf(value, (one) => walk(one, within))] as const];
        return [[key, walk(value, within)] as const];
      }),
    );
  };
  return walk(root, []);
}

const eachOf = (properties: JsonObject, change: (schema: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]));

/** Resolves a reference within a schema (RFC 6901); null if it names no schema. */
function referred(root: JsonObject, reference: string): JsonObject | null {
  if (reference !== '#' && !reference.startsWith('#/')) return null;
  let found: Json | undefined = root;
  for (const part of reference.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return null;
    found = (found as JsonObject)[key];
  }
  return isJsonObject(found) ? found : null;
}

/**
 * Makes a checker of a whole JSON Schema (any draft since 4). Throws an `Error` for a schema that
 * is wrong, and for a keyword that zod cannot check.
 */
export function schemaChecker(schema: JsonObject): z.ZodType {
  return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
}

/** A schema that an extension declared. */
export interface ExternalSchema {
  /** The declared schema for the model, without the name of its draft. */
  readonly shown: JsonObject;
  /** Checks what can be checked here; the tool itself checks the rest. */
  readonly input: z.ZodType;
}

/** Bounds of one declared schema: every model that looks at the tool pays for it. */
const mostBytes = 32 * 1024;
const deepest = 24;

/**
 * Reads a JSON Schema of a tool's arguments (any draft since 4). A problem is a clause with the
 * schema as its subject: for no object, too large or too deep. Keywords that cannot be checked
 * safely are shown to the model and left to the tool. Unknown arguments are passed on, or dropped
 * if `closed`.
 */
export function externalSchema(
  declared: Json | undefined,
  { closed = false } = {},
): ExternalSchema | { readonly problem: string } {
  if (declared === undefined) return { shown: { type: 'object' }, input: z.looseObject({}) };
  if (!isJsonObject(declared)) return { problem: 'is not an object' };
  const type = declared.type ?? 'object';
  if (type !== 'object')
    return { problem: `is of type ${JSON.stringify(type)}, and arguments are an object` };
  const size = Buffer.byteLength(JSON.stringify(declared));
  if (size > mostBytes) return { problem: `has ${size} bytes, and ${mostBytes} are the most` };
  if (!isBoundedJson(declared, { parts: Number.POSITIVE_INFINITY, depth: deepest }))
    return { problem: `is nested more than ${deepest} deep` };
  const { properties } = declared;
  if (properties !== undefined && !isJsonObject(properties))
    return { problem: 'has properties that are no object' };
  const { $schema: _, ...rest } = declared;
  const shown = { ...rest, type: 'object' };
  try {
    const whole = { ...declared, type: 'object' };
    const input = z.fromJSONSchema(checkableSchema(whole) as Parameters<typeof z.fromJSONSchema>[0]);
    return { shown, input: closed && input instanceof z.ZodObject ? input.strip() : input };
  } catch (error) {
    const unknown = unknownType(declared);
    if (unknown !== null) return { problem: `has the type ${unknown}, which JSON Schema does not know` };
    if (!(error instanceof Error)) throw error;
    // The tool checks the rest.
    return { shown, input: z.looseObject({}) };
  }
}

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** The first type anywhere in a schema that does not exist; null where all do. */
function unknownType(schema: Json): string | null {
  if (Array.isArray(schema)) return firstOf(schema.map(unknownType));
  if (!isJsonObject(schema)) return null;
  const named = Array.isArray(schema.type) ? schema.type : [schema.type];
  const wrong = named.find((one) => typeof one === 'string' && !types.has(one));
  if (wrong !== undefined) return JSON.stringify(wrong);
  const { properties, ...rest } = schema;
  const below = isJsonObject(properties) ? Object.values(properties) : [];
  const { enum: _, const: __, default: ___, examples: ____, ...schemas } = rest;
  return firstOf([...below, ...Object.values(schemas)].map(unknownType));
}

const firstOf = (found: readonly (string | null)[]): string | null =>
  found.find((one) => one !== null) ?? null;
