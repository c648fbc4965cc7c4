import type { Json } from '../../contract/json.ts';

/** The form that the final answer of a run must have. */
export interface AnswerForm {
  /** The form in words and as a schema, for the end of the task. */
  readonly instructions: string;
  /** Reads an answer. A problem is a text that says what is wrong with it, for the model. */
  check(answer: string): { readonly value: Json } | { readonly problem: string };
}
