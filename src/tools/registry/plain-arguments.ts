import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';

/**
 * Converts arguments to the types of a foreign schema if that is certain. Some models give a
 * number, boolean, list or object as text, a text as a number, or null for a missing field. Others
 * stay for the schema to refuse. Only top-level arguments are converted.
 */
export function plainArguments(schema: JsonObject, given: JsonObject): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const type = isJsonObject(declared) ? declared.type : undefined;
      if (typeof type !== 'string') return [[name, value]];
      if (value === null && type !== 'null' && !required.includes(name)) return [];
      if (type === 'string' && typeof value === 'number') return [[name, String(value)]];
      return [[name, typeof value === 'string' ? (fromText(type, value) ?? value) : value]];
    }),
  );
}

/** Parses a value of a type from text; undefined if it is none. */
function fromText(type: string, text: string): Json | undefined {
  const isOfType = checks[type];
  if (isOfType === undefined || text.length > 1_000_000) return undefined;
  const value = parseJson(text.trim()) as Json;
  return isOfType(value) ? value : undefined;
}

const checks: Readonly<Record<string, ((value: Json) => boolean) | undefined>> = {
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isJsonObject,
};
