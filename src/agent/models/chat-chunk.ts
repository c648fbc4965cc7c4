import * as z from 'zod';

/** Servers that count badly are no reason to lose a reply: a count of another shape is none. */
const Count = z.number().nullish().catch(null);

/** Counts of tokens, with those that compatible servers add to OpenAI's. */
const ChatUsage = z.object({
  prompt_tokens: Count,
  completion_tokens: Count,
  total_tokens: Count,
  prompt_tokens_details: z.object({ cached_tokens: Count, cache_write_tokens: Count }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: Count }).nullish().catch(null),
  /** DeepSeek. */
  prompt_cache_hit_tokens: Count,
  cached_tokens: Count,
  /** OpenRouter, in dollars. */
  cost: Count,
});
export type ChatUsage = z.infer<typeof ChatUsage>;

/** A piece of a call. */
const CallPiece = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
  /** Data that an endpoint wants back with this call. */
  extra_content: z.json().optional(),
});
export type CallPiece = z.infer<typeof CallPiece>;

/** `content` is text, or a list of parts at some servers; reasoning stands in fields of their own. */
const Delta = z.object({
  content: z.unknown().optional(),
  refusal: z.string().nullish(),
  reasoning_content: z.unknown().optional(),
  reasoning_details: z.array(z.json()).nullish().catch(null),
  tool_calls: z.array(CallPiece).nullish(),
});

/** The fields that are read of a chunk of Chat Completions. All may be missing. */
export const ChatChunk = z.object({
  choices: z.array(z.object({ finish_reason: z.string().nullish(), delta: Delta.nullish() })).nullish(),
  usage: ChatUsage.nullish().catch(null),
  /** Groq has its counts here, and of late where all have them, too. */
  x_groq: z.object({ usage: ChatUsage.nullish() }).nullish().catch(null),
});
