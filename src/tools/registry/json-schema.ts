import * as z from 'zod';
import type { Advert } from '../../contract/advert.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { Tool } from '../tool.ts';

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

/** All that a tool takes, for people: what a model is told, and the fields that are only understood. */
export function acceptedSchema(tool: Tool): JsonObject {
  return tool.schema ?? schemaOf(tool, { hidden: true });
}

/** True if fields that are not advertised are part of a schema. */
interface Shown {
  readonly hidden: boolean;
}

function schemaOf({ input }: Tool, shown: Shown = { hidden: false }): JsonObject {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return withoutAnyJson(slimObject(JSON.parse(JSON.stringify(schema)), shown));
}

/**
 * A field that takes any JSON is one without a type: spelt out as what JSON is, and that within itself, it says no more, in
 * three hundred bytes, with a reference that not every provider takes. Other definitions stay.
 */
function withoutAnyJson(schema: JsonObject): JsonObject {
  const { $defs: definitions, ...rest } = schema;
  if (definitions === undefined || !isJsonObject(definitions)) return schema;
  return Object.values(definitions).every(isAnyJson) ? withoutReferences(rest) : schema;
}

function isAnyJson(definition: Json): boolean {
  if (!isJsonObject(definition) || !Array.isArray(definition.anyOf)) return false;
  const types = definition.anyOf.map((one) => (isJsonObject(one) ? one.type : undefined));
  return ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) => types.includes(type));
}

function withoutReferences(schema: JsonObject): JsonObject {
  const without = (value: Json): Json =>
    Array.isArray(value) ? value.map(without) : isJsonObject(value) ? withoutReferences(value) : value;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (key === '$ref' ? [] : [[key, without(value)]])),
  );
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
  Array.isArray(value) ? value.map(shortened) : isJsonObject(value) ? shorten(value) : value;

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

function slimObject(schema: Readonly<Record<string, Json>>, shown: Shown): JsonObject {
  const slimmed: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (noise.has(key) || (key === 'hidden' && value === true)) continue;
    if (key === 'properties' && isJsonObject(value)) slimmed[key] = slimProperties(value, shown);
    else slimmed[key] = slim(value, shown);
  }
  return slimmed;
}

function slimProperties(properties: JsonObject, shown: Shown): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && property.hidden === true && !shown.hidden
        ? []
        : [[name, slim(property, shown)] as const],
    ),
  );
}

function slim(value: Json, shown: Shown): Json {
  if (Array.isArray(value)) return value.map((one) => slim(one, shown));
  return isJsonObject(value) ? slimObject(value, shown) : value;
}
