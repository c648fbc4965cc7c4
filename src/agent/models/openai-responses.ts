import type { OpenAI } from 'openai/client';
import { APIError } from 'openai/core/error';
import type {
  ResponseCreateParamsStreaming,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import * as z from 'zod';
import { type Json, omitUndefined } from '../../contract/json.ts';
import { nonEmpty } from '../../contract/lists.ts';
import type { AssistantMessage, ImagePart, Message, TextPart } from '../../contract/message.ts';
import { noUsage } from '../../contract/usage-sums.ts';
import type { Endpoint, ModelReply, ModelRequest, ModelStop, Wire } from './model.ts';
import { openaiClient } from './openai-client.ts';
import { type Assembler, streamReply } from './stream-reply.ts';
import { gptEffort } from './thinking-parameters.ts';
import { callIds, callInputObject, callName, parseCallInput, uniqueIds } from './wire-calls.ts';

/** The Responses API by OpenAI's SDK. */
export function openaiResponses(endpoint: Endpoint, client: OpenAI = openaiClient(endpoint)): Wire {
  const { responses } = client;
  return (request, onText) =>
    streamReply<ResponseStreamEvent>(
      async () =>
        withoutErrors(
          await responses.create(responsesRequest(request, endpoint), { signal: request.signal }),
        ),
      APIError,
      responsesAssembler(endpoint.author, callIds(request.messages)),
      { onText, onEvent: request.onEvent },
    );
}

/** The events of a stream. Throws an error event as a `ProviderError`. */
export async function* withoutErrors(
  events: AsyncIterable<ResponseStreamEvent>,
): AsyncGenerator<ResponseStreamEvent> {
  for await (const event of events) {
    if (event.type === 'response.failed' || event.type === 'error') {
      const { streamError } = await import('./to-provider-error.ts');
      throw streamError((event.type === 'error' ? event : (event.response.error ?? null)) as Json);
    }
    yield event;
  }
}

type FinishedResponse = Extract<
  ResponseStreamEvent,
  { type: 'response.completed' | 'response.incomplete' }
>['response'];

/**
 * Makes the reply of the finished items; the deltas only feed the listener. Items without an event
 * of their own are taken from the final response. An id of a call that was used before (`usedIds`)
 * becomes a new one.
 */
export function responsesAssembler(
  author: string,
  usedIds: ReadonlySet<string> = new Set(),
): Assembler<ResponseStreamEvent> {
  const items = new Map<number, ResponseOutputItem>();
  let response: FinishedResponse | null = null;
  return {
    push(event) {
      // One answer is one response.
      if (response !== null) return '';
      switch (event.type) {
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          return event.delta;
        case 'response.output_item.done':
          items.set(event.output_index, event.item);
          return '';
        case 'response.completed':
        case 'response.incomplete':
          response = event.response;
          if (items.size === 0)
            for (const [index, item] of (response.output ?? []).entries()) items.set(index, item);
          return '';
        default:
          return '';
      }
    },
    finish() {
      if (response === null) return null;
      // In their order, whichever was finished first.
      const ordered = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
      return assemble(ordered, response, author, uniqueIds(usedIds));
    },
  };
}

function assemble(
  items: readonly ResponseOutputItem[],
  response: FinishedResponse,
  author: string,
  idFor: (id: string) => string,
): ModelReply {
  const message: AssistantMessage = {
    role: 'assistant',
    parts: items.flatMap((item) => toParts(item, author, idFor)),
  };
  const refused = items.some(
    (item) => item.type === 'message' && item.content.some(({ type }) => type === 'refusal'),
  );
  const called = message.parts.some(({ type }) => type === 'tool_call');
  const cut = response.incomplete_details?.reason;
  let stop: ModelStop = called ? 'tool_calls' : 'end';
  if (refused || cut === 'content_filter') stop = 'refusal';
  else if (cut !== undefined) stop = 'length';
  const { cost } = (response.usage ?? {}) as ServerUsage;
  const costUsd = typeof cost === 'number' && cost >= 0 ? cost : undefined;
  return omitUndefined({ message, stop, usage: countTokens(response), costUsd });
}

/** OpenRouter reports its charge in dollars. */
interface ServerUsage {
  readonly cost?: unknown;
}

/** OpenAI counts cached tokens as part of the input; we count each token once. */
function countTokens({ usage }: FinishedResponse): ModelReply['usage'] {
  if (usage === undefined || usage === null) return noUsage;
  const read = usage.input_tokens_details?.cached_tokens ?? 0;
  const written = usage.input_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, usage.input_tokens - read - written),
    output: usage.output_tokens,
    cache_read: read,
    cache_write: written,
  };
}

function toParts(
  item: ResponseOutputItem,
  author: string,
  idFor: (id: string) => string,
): AssistantMessage['parts'] {
  switch (item.type) {
    case 'function_call':
      return [
        {
          type: 'tool_call',
          id: idFor(item.call_id ?? ''),
          name: item.name,
          input: parseCallInput(item.arguments),
        },
      ];
    case 'message': {
      const text = item.content.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join('');
      const phase: AssistantMessage['parts'] = item.phase
        ? [{ type: 'opaque', provider: author, value: { type: 'phase', phase: item.phase } }]
        : [];
      return text === '' ? [] : [...phase, { type: 'text', text }];
    }
    default:
      // Encrypted reasoning, returned unchanged. A copy, so later additions of the SDK are not
      // included.
      return [{ type: 'opaque', provider: author, value: JSON.parse(JSON.stringify(item)) as Json }];
  }
}

/** Translates a request for the Responses API, with nothing stored at the provider. */
export function responsesRequest(request: ModelRequest, endpoint: Endpoint): ResponseCreateParamsStreaming {
  // Models that reason accept an effort and return encrypted reasoning; others refuse both.
  const effort = gptEffort(endpoint.model, request.effort);
  const tools = request.tools.map(({ name, description, input_schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: input_schema,
    // Strict mode would demand that every field is required.
    strict: false,
  }));
  return omitUndefined({
    model: endpoint.model,
    stream: true as const,
    store: false,
    prompt_cache_key: endpoint.cacheKey ?? undefined,
    max_output_tokens: endpoint.maxOutputTokens ?? undefined,
    include: effort === null ? undefined : ['reasoning.encrypted_content' as const],
    reasoning: effort === null ? undefined : { effort },
    instructions: request.system || undefined,
    tools: nonEmpty(tools),
    input: request.messages.flatMap((message) => translate(message, endpoint.author)),
  });
}

/** Data stored beside a text, which newer models want back unchanged. */
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
    const output = onlyText ? joinText(marked) : marked.map(contentPart);
    return [{ type: 'function_call_output', call_id: part.call_id, output }];
  });
  const content = parts.flatMap((part) => (part.type === 'tool_result' ? [] : [contentPart(part)]));
  return content.length === 0 ? results : [...results, { type: 'message', role: 'user', content }];
}

function joinText(parts: readonly (TextPart | ImagePart)[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function contentPart(part: TextPart | ImagePart) {
  if (part.type === 'text') return { type: 'input_text' as const, text: part.text };
  const image_url = `data:${part.media_type};base64,${part.data}`;
  return { type: 'input_image' as const, image_url, detail: 'auto' as const };
}

function assistantItems(
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  author: string,
): ResponseInputItem[] {
  const items: ResponseInputItem[] = [];
  let phase: 'commentary' | 'final_answer' | undefined;
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.text === '') continue;
      const message = { type: 'message' as const, role: 'assistant' as const, content: part.text };
      items.push(omitUndefined({ ...message, phase }));
    } else if (part.type === 'tool_call') {
      const input = JSON.stringify(callInputObject(part.input));
      items.push({ type: 'function_call', call_id: part.id, name: callName(part.name), arguments: input });
    } else if (part.provider === author) {
      const stored = Phase.safeParse(part.value);
      if (stored.success) phase = stored.data.phase;
      else items.push(part.value as unknown as ResponseInputItem);
    }
  }
  return items;
}
