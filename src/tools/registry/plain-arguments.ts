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
  const value = type === 'string' || text.length > 1_000_000 ? undefined : parseJson(text.trim());
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'integer') return Number.isSafeInteger(value) ? (value as number) : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'array') return Array.isArray(value) ? (value as Json) : undefined;
  return type === 'object' && isJsonObject(value as Json) ? (value as Json) : undefined;
}
