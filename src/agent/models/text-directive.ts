import type { Json } from '../../contract/json.ts';

/** One thing a model said by the text protocol, in order. */
export type TextDirective =
  /** Text without a word in front. It counts as an answer, as long as no action stands beside it. */
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'bash'; readonly command: string }
  /** `input` is the raw text of the arguments where they are no JSON even after a repair. */
  | { readonly kind: 'tool'; readonly name: string; readonly input: Json }
  | { readonly kind: 'patch'; readonly patch: string };

/** A directive that calls a tool by its name. */
export type ToolDirective = Extract<TextDirective, { kind: 'tool' }>;

/** The name a call gets whose payload gives none, so that the model is told instead of being ignored. */
export const namelessTool = 'TOOL';
