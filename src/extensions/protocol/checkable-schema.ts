import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';

/** So many schemas references may add to the one that they stand in. */
const mostReferred = 4_000;

/** Keywords left to the tool, and those that only references need. */
const leftOut = new Set(['pattern', 'patternProperties', 'format', '$defs', 'definitions']);

/** Keywords whose value is no schema, whatever it looks like. */
const data = new Set(['enum', 'const', 'default', 'examples']);

/**
 * A schema as it can be checked against here: without regular expressions, and with what its references name in their place. One that
 * leads back to where it stands, or nowhere in this schema, takes anything, as do all once they come to too much: two references in each
 * of thirty definitions are a schema of a thousand million parts, and one to itself has no end.
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
        if (leftOut.has(key)) return [];
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

/** What a reference within a schema names (RFC 6901); null for nothing that is a schema. */
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
