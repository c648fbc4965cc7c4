import type { Json } from '../../contract/json.ts';

/** Plain data as it would be read back from JSON: absent fields instead of undefined ones. */
export function toJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
