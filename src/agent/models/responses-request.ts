import type { ResponseCreateParamsStreaming, ResponseInputItem } from 'openai/resources/responses/responses';
import * as z from 'zod';
import type { ImagePart, Message, TextPart } from '../../contract/message.ts';
import { callInputObject, callName } from './call-input.ts';
import type { ModelRequest } from './model.ts';
import { gptEffort } from './thinking-parameters.ts';
import type { Endpoint } from './wire.ts';

/** A request in the words of the Responses API, with nothing stored at the provider. */
export function responsesRequest(request: ModelRequest, endpoint: Endpoint): ResponseCreateParamsStreaming {
  // Models that reason take an effort and hand out encrypted reasoning; others refuse both.
  const effort = gptEffort(endpoint.model, request.effort);
  return {
    model: endpoint.model,
    stream: true,
    store: false,
    ...(endpoint.cacheKey !== null && { prompt_cache_key: endpoint.cacheKey }),
    ...(endpoint.maxOutputTokens !== null && { max_output_tokens: endpoint.maxOutputTokens }),
    ...(effort !== null && {
      include: ['reasoning.encrypted_content' as const],
      reasoning: { effort },
    }),
    ...(request.system !== '' && { instructions: request.system }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input_schema }) => ({
        type: 'function' as const,
        name,
        description,
        parameters: input_schema,
        // Strict mode would demand that every field is required.
        strict: false,
      })),
    }),
    input: request.messages.flatMap((message) => translate(message, endpoint.author)),
  };
}

/** What is kept of a text besides the text: newer models want it back, word for word. */
export const Phase = z.object({ type: z.literal('phase'), phase: z.enum(['commentary', 'final_answer']) });

function translate(message: Message, author: string): ResponseInputItem[] {
  return message.role === 'user' ? userItems(message.parts) : assistantItems(message.parts, author);
}

function userItems(parts: Extract<Message, { role: 'user' }>['parts']): ResponseInputItem[] {
  const results = parts.flatMap((part): ResponseInputItem[] => {
    if (part.type !== 'tool_result') return [];
    const marked: (TextPart | ImagePart)[] = part.is_error
      ? [{ type: 'text', text: 'Error:' }, ...part.content]
      : part.content;
    const onlyText = marked.every(({ type }) => type === 'text');
    const output = onlyText ? joinText(marked) : marked.map(content);
    return [{ type: 'function_call_output', call_id: part.call_id, output }];
  });
  const said = parts.flatMap((part) => (part.type === 'tool_result' ? [] : [content(part)]));
  return said.length === 0 ? results : [...results, { type: 'message', role: 'user', content: said }];
}

function joinText(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function content(part: TextPart | ImagePart) {
  if (part.type === 'text') return { type: 'input_text' as const, text: part.text };
  const image_url = `data:${part.media_type};base64,${part.data}`;
  return { type: 'input_image' as const, image_url, detail: 'auto' as const };
}

function assistantItems(
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  author: string,
): ResponseInputItem[] {
  const items: ResponseInputItem[] = [];
  let phase: 'commentary' | 'final_answer' | null = null;
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.text === '') continue;
      items.push({
        type: 'message',
        role: 'assistant',
        content: part.text,
        ...(phase !== null && { phase }),
      });
    } else if (part.type === 'tool_call') {
      const input = JSON.stringify(callInputObject(part.input));
      items.push({ type: 'function_call', call_id: part.id, name: callName(part.name), arguments: input });
    } else if (part.provider === author) {
      const kept = Phase.safeParse(part.value);
      if (kept.success) phase = kept.data.phase;
      else items.push(part.value as unknown as ResponseInputItem);
    }
  }
  return items;
}
