import type { Json } from '../../contract/json.ts';

/** Converts a value to plain JSON data, without undefined fields. */
export function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
