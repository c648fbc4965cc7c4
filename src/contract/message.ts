import * as z from 'zod';
import type { Json, JsonObject } from './json.ts';

const JsonValue: z.ZodType<Json> = z.json() as z.ZodType<Json>;

/** An image for the model; `data` is base64. */
export const ImagePart = z.object({
  type: z.literal('image'),
  media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.string(),
});
export type ImagePart = z.infer<typeof ImagePart>;

export const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

/**
 * A tool call as the model wrote it. `input` is the parsed JSON if the text parsed, else the raw
 * string, which `call-tool.ts` repairs or refuses. It is never silently replaced by `{}`.
 */
export const ToolCallPart = z.object({
  type: z.literal('tool_call'),
  id: z.string(),
  name: z.string(),
  input: JsonValue,
});
export type ToolCallPart = z.infer<typeof ToolCallPart>;

export const ToolResultPart = z.object({
  type: z.literal('tool_result'),
  call_id: z.string(),
  content: z.array(z.discriminatedUnion('type', [TextPart, ImagePart])),
  is_error: z.boolean(),
});
export type ToolResultPart = z.infer<typeof ToolResultPart>;

/**
 * Data that only one provider understands (signed thinking, encrypted reasoning), returned
 * unchanged.
 */
export const OpaquePart = z.object({ type: z.literal('opaque'), provider: z.string(), value: JsonValue });
export type OpaquePart = z.infer<typeof OpaquePart>;

/** One message of the conversation, the same for every provider; adapters translate to the wire. */
export const Message = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    parts: z.array(z.discriminatedUnion('type', [TextPart, ImagePart, ToolResultPart])),
  }),
  z.object({
    role: z.literal('assistant'),
    parts: z.array(z.discriminatedUnion('type', [TextPart, ToolCallPart, OpaquePart])),
  }),
]);
export type Message = z.infer<typeof Message>;
export type AssistantMessage = Extract<Message, { role: 'assistant' }>;
export type UserMessage = Extract<Message, { role: 'user' }>;

/** A tool definition for a model: wire name, one description, a JSON Schema of its input. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}
