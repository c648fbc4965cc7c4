import { isJsonObject, type Json, type JsonObject, parseJson } from '../../contract/json.ts';

/**
 * Arguments as a schema that somebody else declared wants them, where that can be told without doubt: a number, a yes or no, a list or an
 * object that was written as text, a text that was written as a number, and null for what may be left out, both as some models write them. All others stay as they are, for
 * the schema to judge. Only what stands at the top of the arguments is looked at.
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

/** The value of a type that a text writes; undefined where it writes none. */
function fromText(type: string, text: string): Json | undefined {
  const value = type === 'string' || text.length > 1_000_000 ? undefined : parseJson(text.trim());
  if (type === 'number') return typeof value === 'number' ? value : undefined;
  if (type === 'integer') return Number.isSafeInteger(value) ? (value as number) : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  if (type === 'array') return Array.isArray(value) ? (value as Json) : undefined;
  return type === 'object' && isJsonObject(value as Json) ? (value as Json) : undefined;
}
