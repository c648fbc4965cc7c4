import type { OpenAI } from 'openai/client';
import { APIError } from 'openai/core/error';
import { _iterSSEMessages } from 'openai/core/streaming';
import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject, omitUndefined } from '../../contract/json.ts';
import { nonEmpty } from '../../contract/lists.ts';
import type { AssistantMessage } from '../../contract/message.ts';
import { noUsage } from '../../contract/usage-sums.ts';
import { chatHeaders, chatRequest } from './chat-request.ts';
import type { Endpoint, ModelReply, ModelStop, Wire } from './model.ts';
import { openaiClient } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';
import { type Assembler, streamReply } from './stream-reply.ts';
import { callIds, parseCallInput, uniqueIds } from './wire-calls.ts';

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

/**
 * `content` is text, or a list of parts at some servers; reasoning is in separate fields.
 */
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
  /** Groq has its counts here, and recently also in the usual field. */
  x_groq: z.object({ usage: ChatUsage.nullish() }).nullish().catch(null),
});

/** A chunk of Chat Completions as a server sent it, or `[DONE]`, which marks the complete end. */
export type ChatEvent = Json;

/**
 * The events of a stream. OpenAI's own reader hides `[DONE]` and drops a chunk with an error,
 * including its counts. Throws `ProviderError` for an error in the stream, and `SyntaxError` if a
 * line is not JSON.
 */
export async function* chatEvents(response: Response): AsyncGenerator<ChatEvent> {
  for await (const { event, data } of _iterSSEMessages(response, new AbortController())) {
    if (data === '[DONE]') {
      yield data;
      return;
    }
    const value = JSON.parse(data) as Json;
    const error = errorIn(value, event);
    if (error === undefined) yield value;
    else {
      if (isJsonObject(value) && isJsonObject(value.usage)) yield { usage: value.usage };
      throw (await import('./to-provider-error.ts')).streamError(error);
    }
  }
}

/** Returns the error that an event is or contains; undefined for none. */
function errorIn(value: Json, event: string | null): Json | undefined {
  if (!isJsonObject(value)) return event === 'error' ? value : undefined;
  const error = value.error ?? groqError(value);
  if (error !== undefined && error !== null) return error;
  return event === 'error' ? value : undefined;
}

/** Groq reports an error in its own field. */
function groqError({ x_groq: own }: JsonObject): Json | undefined {
  return isJsonObject(own) ? own.error : undefined;
}

/**
 * Chat Completions by OpenAI's SDK: the wire of every compatible endpoint, local servers included.
 */
export function openaiChat(endpoint: Endpoint, client: OpenAI = openaiClient(endpoint)): Wire {
  const { completions } = client.chat;
  const headers = chatHeaders(endpoint);
  return async (request, onText) => {
    let streamed = '';
    try {
      return await streamReply<ChatEvent>(
        async () => {
          const options = { signal: request.signal, headers };
          return chatEvents(await completions.create(chatRequest(request, endpoint), options).asResponse());
        },
        APIError,
        chatAssembler(endpoint.author, callIds(request.messages)),
        {
          onText: (text) => {
            streamed += text;
            onText(text);
          },
          onEvent: request.onEvent,
        },
      );
    } catch (error) {
      if (!(error instanceof ProviderError) || error.problem !== 'unread_call') throw error;
      return (await import('./unread-call.ts')).unreadCallReply(error, streamed);
    }
  };
}

interface Call {
  id: string;
  name: string;
  json: string;
  /** Data that the endpoint wants back with this call. */
  extra: Json | undefined;
}

const stops: Readonly<Record<string, ModelStop>> = { length: 'length', content_filter: 'refusal' };

/**
 * Assembles chunks and tolerates mistakes of compatible servers. These are calls without id or
 * index, repeated ids (`usedIds`), a finish reason of `stop` after calls, and text in parts of
 * content.
 */
export function chatAssembler(author: string, usedIds: ReadonlySet<string>): Assembler<ChatEvent> {
  return new ChatAssembler(author, usedIds);
}

class ChatAssembler implements Assembler<ChatEvent> {
  readonly #author: string;
  readonly #usedIds: ReadonlySet<string>;
  readonly #calls: Call[] = [];
  readonly #byIndex = new Map<number, Call>();
  readonly #details: Json[] = [];
  #text = '';
  #reasoning = '';
  #isRefused = false;
  #finishReason: string | null = null;
  #isDone = false;
  #usage: ModelReply['usage'] | null = null;
  #cost: number | undefined;

  constructor(author: string, usedIds: ReadonlySet<string>) {
    this.#author = author;
    this.#usedIds = usedIds;
  }

  push(event: ChatEvent): string {
    if (event === '[DONE]') {
      this.#isDone = true;
      return '';
    }
    const chunk = ChatChunk.parse(event);
    const counts = chunk.usage ?? chunk.x_groq?.usage;
    if (counts) {
      this.#usage = countTokens(counts);
      this.#cost = counts.cost ?? this.#cost;
    }
    const choice = chunk.choices?.[0];
    this.#finishReason = choice?.finish_reason ?? this.#finishReason;
    return choice?.delta ? this.#extend(choice.delta) : '';
  }

  finish(): ModelReply | null {
    const { stop, isWhole } = this.#end();
    if (!isWhole) return null;
    const idFor = uniqueIds(this.#usedIds);
    const extras: Record<string, Json> = {};
    const parts: AssistantMessage['parts'] = this.#text === '' ? [] : [{ type: 'text', text: this.#text }];
    for (const { id, name, json, extra } of this.#calls) {
      const unique = idFor(id);
      if (extra !== undefined) extras[unique] = extra;
      parts.push({ type: 'tool_call', id: unique, name, input: parseCallInput(json) });
    }
    const value = omitUndefined({
      reasoning_content: this.#reasoning || undefined,
      reasoning_details: nonEmpty(this.#details),
      extra_content: Object.keys(extras).length > 0 ? extras : undefined,
    });
    if (Object.keys(value).length > 0) parts.unshift({ type: 'opaque', provider: this.#author, value });
    const costUsd = this.#cost !== undefined && this.#cost >= 0 ? this.#cost : undefined;
    return omitUndefined({
      message: { role: 'assistant' as const, parts },
      ...{ stop, usage: this.#usage ?? noUsage, costUsd },
    });
  }

  #extend(delta: z.infer<typeof Delta>): string {
    if (typeof delta.reasoning_content === 'string') this.#reasoning += delta.reasoning_content;
    for (const one of delta.reasoning_details ?? []) addDetail(this.#details, one);
    for (const piece of delta.tool_calls ?? []) extendCall(piece, this.#calls, this.#byIndex);
    if (delta.refusal) this.#isRefused = true;
    const added = plainText(delta.content) + (delta.refusal ?? '');
    this.#text += added;
    return added;
  }

  #end(): { readonly stop: ModelStop; readonly isWhole: boolean } {
    const reason = this.#finishReason;
    // Some servers give no reason (Snowflake). Then the counts and the mark at the end show that
    // the reply is whole.
    const isWhole = reason === null ? this.#isDone && this.#usage !== null : reason !== 'error';
    if (this.#isRefused) return { stop: 'refusal', isWhole };
    return { stop: stops[reason ?? ''] ?? (this.#calls.length > 0 ? 'tool_calls' : 'end'), isWhole };
  }
}

/** A piece belongs to the call at its index, unless it has its own id. */
function extendCall(piece: CallPiece, calls: Call[], byIndex: Map<number, Call>): void {
  const index = piece.index ?? Math.max(0, calls.length - 1);
  const id = piece.id ?? '';
  let call = byIndex.get(index);
  if (call === undefined || (id !== '' && call.id !== '' && id !== call.id)) {
    call = { id, name: '', json: '', extra: undefined };
    calls.push(call);
    byIndex.set(index, call);
  }
  call.id ||= id;
  call.name ||= piece.function?.name ?? '';
  call.json += argumentText(piece.function?.arguments);
  call.extra ??= piece.extra_content;
}

/** Reasoning also comes in parts: plain text with the same index is joined. */
function addDetail(details: Json[], piece: Json): void {
  const last = details.at(-1);
  if (!isJsonObject(piece)) return;
  const joins = ['text', 'summary', 'data'].find((key) => typeof piece[key] === 'string');
  if (!isJsonObject(last) || joins === undefined || last.type !== piece.type || last.index !== piece.index) {
    details.push({ ...piece });
    return;
  }
  const { [joins]: more, ...rest } = piece;
  Object.assign(last, rest, { [joins]: `${last[joins] ?? ''}${String(more)}` });
}

/** Some servers send the arguments as an object instead of text. */
function argumentText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text, also if a server sends it as a list of content parts. */
function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? part.text
        : '',
    )
    .join('');
}

/** OpenAI counts cached tokens as part of the prompt; we count each token once. */
function countTokens(usage: ChatUsage): ModelReply['usage'] {
  const read =
    usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? 0;
  const written = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.prompt_tokens ?? 0) - read - written),
    output: (usage.completion_tokens ?? 0) + reasoningBeside(usage),
    cache_read: read,
    cache_write: written,
  };
}

/**
 * Tokens of reasoning that `completion_tokens` does not include, as with xAI; OpenAI and most
 * others include them. The sum of all tokens distinguishes the two.
 */
function reasoningBeside(usage: ChatUsage): number {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return (total ?? 0) >= (prompt ?? 0) + (completion ?? 0) + reasoning ? reasoning : 0;
}
