import { type Json, type JsonObject, parseJson } from '../../contract/json.ts';

/**
 * The arguments of a call as a model streamed them: their JSON value where they parse and are not nested too deep, else the text itself.
 * No text at all is how models write a call without arguments.
 */
export function parseCallInput(text: string): Json {
  if (text.trim() === '') return {};
  return (parseJson(text) as Json | undefined) ?? (text.trim() === 'null' ? null : text);
}

/**
 * A call's arguments as every wire takes them back: an object. What is none is wrapped as `{"_raw": "…"}`,
 * since endpoints parse the arguments of earlier turns and refuse the whole request over one broken text.
 */
export function callInputObject(input: Json): JsonObject {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return { _raw: typeof input === 'string' ? input : JSON.stringify(input) };
}

/**
 * A called name as every wire takes it back. Models make names up, and an endpoint refuses the whole request
 * over one that does not match `^[a-zA-Z0-9_-]{1,64}$`.
 */
export function callName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}
