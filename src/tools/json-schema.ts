import * as z from 'zod';
import type { Advert } from '../contract/advert.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { Tool } from './tool.ts';

/**
 * What a model has to know to call a tool, in as few bytes as that takes: every byte is sent with every
 * request. A field with the metadata `{hidden: true}` is understood but not advertised.
 */
export function advertise(tool: Tool): Advert {
  return {
    name: wireName(tool.name),
    description: tool.description,
    input_schema: tool.schema ?? schemaOf(tool),
  };
}

function schemaOf({ input }: Tool): JsonObject {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return slimObject(JSON.parse(JSON.stringify(schema)));
}

/** The same in a sentence and a schema without words: for models that call fast and read little. */
export function advertiseShort(tool: Tool): Advert {
  const { name, description, input_schema } = advertise(tool);
  return { name, description: firstSentence(description), input_schema: shorten(input_schema) };
}

const firstSentence = (text: string): string =>
  /^.*?[.;](?=\s|$)/s.exec(text)?.[0].replace(/;$/, '.') ?? text;

function shorten(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === 'description' && typeof value === 'string') return [];
      return [[key, shortened(value)] as const];
    }),
  );
}

const shortened = (value: Json): Json =>
  Array.isArray(value) ? value.map(shortened) : isObject(value) ? shorten(value) : value;

/** The name on the wire, where providers allow letters, digits, `_` and `-` only. */
export function wireName(name: string): string {
  return name.replaceAll('.', '_');
}

/** Keywords that only repeat what the schema's own check will say, should it come to that. */
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

function slimObject(schema: Readonly<Record<string, Json>>): JsonObject {
  const slimmed: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (noise.has(key)) continue;
    if (key === 'properties' && isObject(value)) slimmed[key] = slimProperties(value);
    else slimmed[key] = slim(value);
  }
  return slimmed;
}

function slimProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isObject(property) && property.hidden === true ? [] : [[name, slim(property)] as const],
    ),
  );
}

function slim(value: Json): Json {
  if (Array.isArray(value)) return value.map(slim);
  return isObject(value) ? slimObject(value) : value;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
