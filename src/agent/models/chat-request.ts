import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions/completions';
import * as z from 'zod';
import type { ImagePart, Message, TextPart } from '../../contract/message.ts';
import { callInputObject, callName } from './call-input.ts';
import type { ModelRequest } from './model.ts';
import type { Endpoint } from './wire.ts';

/**
 * A request in the words of Chat Completions, and in no more of them than every compatible server knows: no
 * effort, no output limit unless one is configured.
 */
export function chatRequest(request: ModelRequest, endpoint: Endpoint): ChatCompletionCreateParamsStreaming {
  return {
    model: endpoint.model,
    stream: true,
    ...(endpoint.streamUsage && { stream_options: { include_usage: true } }),
    ...(endpoint.maxOutputTokens !== null && { max_tokens: endpoint.maxOutputTokens }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input_schema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: input_schema },
      })),
    }),
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system' as const, content: request.system }]),
      ...request.messages.flatMap((message) =>
        message.role === 'user'
          ? userMessages(message.parts)
          : assistantMessages(message.parts, endpoint.provider),
      ),
    ],
  };
}

/** Reasoning that some endpoints (DeepSeek's among them) demand back with the calls it led to. */
export const Reasoning = z.object({ reasoning_content: z.string() });

/** Results are text on this wire: their images follow in a message of the user's. */
function userMessages(parts: Extract<Message, { role: 'user' }>['parts']): ChatCompletionMessageParam[] {
  const results: ChatCompletionMessageParam[] = [];
  const said: (TextPart | ImagePart)[] = [];
  for (const part of parts) {
    if (part.type !== 'tool_result') {
      said.push(part);
      continue;
    }
    const text = part.content.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []));
    const images = part.content.filter((piece) => piece.type === 'image');
    if (images.length > 0) {
      text.push(`(${images.length === 1 ? 'An image follows' : `${images.length} images follow`}.)`);
      said.push({ type: 'text', text: `Of the result ${part.call_id}:` }, ...images);
    }
    const content = [...(part.is_error ? ['Error:'] : []), ...text].join('\n');
    results.push({ role: 'tool', tool_call_id: part.call_id, content });
  }
  if (said.length === 0) return results;
  // Plain text where it is only that: the smallest servers know nothing else.
  const content = said.every(({ type }) => type === 'text')
    ? said.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
    : said.map(contentPart);
  return [...results, { role: 'user', content }];
}

function contentPart(part: TextPart | ImagePart): ChatCompletionContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: `data:${part.media_type};base64,${part.data}` } };
}

function assistantMessages(
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  provider: string,
): ChatCompletionMessageParam[] {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [
          {
            id: part.id,
            type: 'function' as const,
            function: { name: callName(part.name), arguments: JSON.stringify(callInputObject(part.input)) },
          },
        ]
      : [],
  );
  if (text === '' && calls.length === 0) return [];
  if (calls.length === 0) return [{ role: 'assistant', content: text }];
  const reasoning = parts.flatMap((part) => {
    const kept =
      part.type === 'opaque' && part.provider === provider ? Reasoning.safeParse(part.value) : null;
    return kept?.success === true ? [kept.data] : [];
  })[0];
  return [{ role: 'assistant', content: text === '' ? null : text, tool_calls: calls, ...reasoning }];
}
