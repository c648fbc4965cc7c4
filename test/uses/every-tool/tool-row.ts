import type { JsonObject } from '../../../src/contract/json.ts';
import type { ScriptedCall } from '../../support/model/script.ts';
import type { Part } from '../support/start-app.ts';

/** One call of a tool by hand, through `tools use`, on a copy of the sample checkout. */
export interface HandRow {
  readonly input: JsonObject;
  /** The whole content of the result, or a matcher for it. */
  readonly content: unknown;
  /** Files that change, whole; null for a deleted one. Left out, nothing is changed. */
  readonly changed?: Readonly<Record<string, string | null>>;
  readonly stdin?: string;
  /** The model's part for a child of this call, whose task holds the words. */
  readonly child?: { readonly words: string; readonly part: Part };
}

/** One call in a run: its input may need what an earlier call gave back. */
export interface RunStep {
  readonly name: string;
  readonly input: JsonObject | ((reply: readonly string[]) => JsonObject);
  /** The whole text that the model gets, or a matcher for it. */
  readonly content: unknown;
}

/** Makes a call of a step; `said` are the texts of the results so far. */
export function callOf({ name, input }: RunStep, replyText: readonly string[]): ScriptedCall {
  return { name: name.replaceAll('.', '_'), input: typeof input === 'function' ? input(replyText) : input };
}

/** A step in a few words. */
export const step = (name: string, input: RunStep['input'], content: unknown): RunStep => ({
  name,
  input,
  content,
});
