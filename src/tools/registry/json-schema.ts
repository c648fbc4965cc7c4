import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { ToolDefinition } from '../../contract/message.ts';
import type { Tool } from '../tool.ts';

/**
 * Builds a tool definition for the model in as few bytes as possible, as it is sent with every
 * request. A field with the metadata `{hidden: true}` is accepted but not advertised.
 */
export function toolDefinition(tool: Tool): ToolDefinition {
  return {
    name: wireName(tool.name),
    description: tool.description,
    input_schema: tool.schema ?? schemaOf(tool),
  };
}

/** Returns the full schema of a tool, for people: advertised and hidden fields. */
export function acceptedSchema(tool: Tool): JsonObject {
  return tool.schema ?? schemaOf(tool, { hidden: true });
}

/** Options of a schema; `hidden` includes fields that are not advertised. */
interface SchemaOptions {
  readonly hidden: boolean;
}

function schemaOf({ input }: Tool, options: SchemaOptions = { hidden: false }): JsonObject {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return withoutAnyJson(slimObject(JSON.parse(JSON.stringify(schema)), options));
}

/**
 * Removes the definition of any JSON: a field without a type says the same. It takes three hundred
 * bytes, with a reference that some providers refuse. Other definitions stay.
 */
function withoutAnyJson(schema: JsonObject): JsonObject {
  const { $defs: definitions, ...rest } = schema;
  if (definitions === undefined || !isJsonObject(definitions)) return schema;
  return Object.values(definitions).every(isAnyJson)
    ? (withoutKeys(rest, (key) => key === '$ref') as JsonObject)
    : schema;
}

function isAnyJson(definition: Json): boolean {
  if (!isJsonObject(definition) || !Array.isArray(definition.anyOf)) return false;
  const types = definition.anyOf.map((one) => (isJsonObject(one) ? one.type : undefined));
  return ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) => types.includes(type));
}

/** Removes entries from all objects in a value. */
function withoutKeys(value: Json, isRemoved: (key: string, value: Json) => boolean): Json {
  if (Array.isArray(value)) return value.map((one) => withoutKeys(one, isRemoved));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key, one]) => !isRemoved(key, one));
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutKeys(one, isRemoved)]));
}

/** Shortens a tool definition to one sentence and a bare schema, for fast models. */
export function shortToolDefinition(tool: Tool): ToolDefinition {
  const { name, description, input_schema } = toolDefinition(tool);
  return {
    name,
    description: firstSentence(description),
    input_schema: withoutKeys(
      input_schema,
      (key, value) => key === 'description' && typeof value === 'string',
    ) as JsonObject,
  };
}

const firstSentence = (text: string): string =>
  /^.*?[.;](?=\s|$)/s.exec(text)?.[0].replace(/;$/, '.') ?? text;

/** Returns the name on the wire: providers allow letters, digits, `_` and `-` only. */
export function wireName(name: string): string {
  return name.replaceAll('.', '_');
}

/** Keywords that only repeat the schema's own error messages. */
const noise = new Set([
  '$schema',
  'additionalProperties',
  'default',
  'minLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minItems',
  'maxItems',
]);

function slimObject(schema: Readonly<Record<string, Json>>, options: SchemaOptions): JsonObject {
  const slimmed: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (noise.has(key) || (key === 'hidden' && value === true)) continue;
    if (key === 'properties' && isJsonObject(value)) slimmed[key] = slimProperties(value, options);
    else slimmed[key] = slim(value, options);
  }
  return slimmed;
}

function slimProperties(properties: JsonObject, options: SchemaOptions): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && property.hidden === true && !options.hidden
        ? []
        : [[name, slim(property, options)] as const],
    ),
  );
}

function slim(value: Json, options: SchemaOptions): Json {
  if (Array.isArray(value)) return value.map((one) => slim(one, options));
  return isJsonObject(value) ? slimObject(value, options) : value;
}
