import type { JsonObject } from './json.ts';

/** A tool as a model is told of it: wire name, one description, a JSON Schema of its input. */
export interface Advert {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}
