import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { RejectedRequest } from './script.ts';

/** Throws what the endpoint would answer unless `condition` holds. */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new RejectedRequest(message);
}

/** The value as an object, or a rejection that names its position. */
export function object(value: Json | undefined, where: string): JsonObject {
  must(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${where}: expected an object, got ${JSON.stringify(value)}`,
  );
  return value;
}

/** The value as an array, or a rejection that names its position. */
export function array(value: Json | undefined, where: string): Json[] {
  must(Array.isArray(value), `${where}: expected an array, got ${JSON.stringify(value)}`);
  return value;
}

/** The value as a string, or a rejection that names its position. */
export function string(value: Json | undefined, where: string): string {
  must(typeof value === 'string', `${where}: expected a string, got ${JSON.stringify(value)}`);
  return value;
}

/** The JSON value of a text if it parses, else the text itself: models send both as arguments. */
export function parsedOrRaw(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
