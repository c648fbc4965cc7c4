import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions';
import * as z from 'zod';
import { omitUndefined } from '../../contract/json.ts';
import { append, nonEmpty } from '../../contract/lists.ts';
import type { ImagePart, Message, TextPart } from '../../contract/message.ts';
import { chatEffort } from './chat-dialect.ts';
import type { Endpoint, ModelRequest } from './model.ts';
import { callInputObject, callName } from './wire-calls.ts';

/**
 * Builds a request with only the fields this endpoint accepts. The messages come last, since
 * providers cache the unchanged beginning of a request.
 */
export function chatRequest(request: ModelRequest, endpoint: Endpoint): ChatCompletionCreateParamsStreaming {
  const { chat, maxOutputTokens } = endpoint;
  const tools = request.tools.map(({ name, description, input_schema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: input_schema },
  }));
  const hasTools = tools.length > 0;
  return omitUndefined({
    model: endpoint.model,
    stream: true as const,
    stream_options: chat.streamUsage ? { include_usage: true } : undefined,
    [chat.tokenLimit]: maxOutputTokens ?? undefined,
    ...cacheKeyIn('body', endpoint),
    ...chatEffort(chat, endpoint.model, request.effort),
    parallel_tool_calls: hasTools && chat.parallelCalls ? true : undefined,
    tool_stream: hasTools && chat.toolStream ? true : undefined,
    tools: nonEmpty(tools),
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system' as const, content: request.system }]),
      ...request.messages.flatMap((message) =>
        message.role === 'user'
          ? userMessages(message.parts)
          : assistantMessages(message.parts, endpoint.author),
      ),
    ],
  });
}

/** Returns extra headers for an endpoint that takes its cache key in a header. */
export function chatHeaders(endpoint: Endpoint): Record<string, string> {
  return cacheKeyIn('headers', endpoint);
}

/** Returns the cache key under the name the endpoint wants, if it belongs in this part. */
function cacheKeyIn(
  part: 'body' | 'headers',
  { chat: { cacheKeyField }, cacheKey }: Endpoint,
): Record<string, string> {
  if (cacheKeyField === null || cacheKey === null) return {};
  return cacheKeyField.startsWith('x-') === (part === 'headers') ? { [cacheKeyField]: cacheKey } : {};
}

/**
 * Data that endpoints require again with the tool calls of the same message. Reasoning is text
 * (DeepSeek and others) or a list of parts (OpenRouter). Gemini signs thoughts for single calls;
 * `extra_content` has them by call id.
 */
export const StoredReasoning = z.object({
  reasoning_content: z.string().optional(),
  reasoning_details: z.array(z.json()).optional(),
  extra_content: z.record(z.string(), z.json()).optional(),
});

/** Translates a user message. Tool results hold only text, so their images follow separately. */
function userMessages(parts: Extract<Message, { role: 'user' }>['parts']): ChatCompletionMessageParam[] {
  const results: ChatCompletionMessageParam[] = [];
  const pieces: (TextPart | ImagePart)[] = [];
  for (const part of parts) {
    if (part.type !== 'tool_result') {
      pieces.push(part);
      continue;
    }
    const text = part.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []));
    const images = part.content.filter((piece) => piece.type === 'image');
    if (images.length > 0) {
      text.push(`(${images.length === 1 ? 'An image follows' : `${images.length} images follow`}.)`);
      append(pieces, [{ type: 'text', text: `Of the result ${part.call_id}:` }, ...images]);
    }
    const content = [...(part.is_error ? ['Error:'] : []), ...text].join('\n');
    results.push({ role: 'tool', tool_call_id: part.call_id, content });
  }
  if (pieces.length === 0) return results;
  // Small servers accept only a plain string as content.
  const content = pieces.every(({ type }) => type === 'text')
    ? pieces.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
    : pieces.map(contentPart);
  return [...results, { role: 'user', content }];
}

function contentPart(part: TextPart | ImagePart): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: `data:${part.media_type};base64,${part.data}` } };
}

function assistantMessages(
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  author: string,
): ChatCompletionMessageParam[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  // An opaque part stores its author ("provider/model") as `provider`.
  const opaque = parts.find((part) => part.type === 'opaque' && part.provider === author);
  const stored = opaque?.type === 'opaque' ? StoredReasoning.safeParse(opaque.value).data : undefined;
  const calls = parts.flatMap((part) => {
    if (part.type !== 'tool_call') return [];
    const call = { name: callName(part.name), arguments: JSON.stringify(callInputObject(part.input)) };
    const extra_content = stored?.extra_content?.[part.id];
    return [omitUndefined({ id: part.id, type: 'function' as const, function: call, extra_content })];
  });
  if (text === '' && calls.length === 0) return [];
  // Endpoints require reasoning only with tool calls.
  if (calls.length === 0) return [{ role: 'assistant', content: text }];
  const { extra_content: _, ...reasoning } = stored ?? {};
  return [{ role: 'assistant', content: text === '' ? null : text, tool_calls: calls, ...reasoning }];
}
