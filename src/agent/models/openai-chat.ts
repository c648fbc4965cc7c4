import type { OpenAI } from 'openai/client';
import { APIError } from 'openai/core/error';
import type { Json } from '../../contract/json.ts';
import type { AssistantMessage } from '../../contract/message.ts';
import { noUsage } from '../../contract/usage.ts';
import { callIds, uniqueIds } from './call-ids.ts';
import { parseCallInput } from './call-input.ts';
import { type CallPiece, ChatChunk, type ChatUsage } from './chat-chunk.ts';
import { type ChatEvent, chatEvents } from './chat-events.ts';
import { chatHeaders, chatRequest } from './chat-request.ts';
import type { ModelReply, ModelStop } from './model.ts';
import { openaiClient } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';
import { type Assembler, streamReply } from './stream-reply.ts';
import type { Endpoint, Wire } from './wire.ts';

/** Chat Completions by OpenAI's SDK: the wire of every compatible endpoint, local servers included. */
export function openaiChat(endpoint: Endpoint, client: OpenAI = openaiClient(endpoint)): Wire {
  const { completions } = client.chat;
  const headers = chatHeaders(endpoint);
  return async (request, onText) => {
    let said = '';
    try {
      return await streamReply<ChatEvent>(
        async () => {
          const options = { signal: request.signal, headers };
          return chatEvents(await completions.create(chatRequest(request, endpoint), options).asResponse());
        },
        APIError,
        chatAssembler(endpoint.author, callIds(request.messages)),
        (text) => {
          said += text;
          onText(text);
        },
        request.onEvent,
      );
    } catch (error) {
      if (!(error instanceof ProviderError) || error.problem !== 'unread_call') throw error;
      return (await import('./unread-call.ts')).unreadCallReply(error, said);
    }
  };
}

interface Call {
  id: string;
  name: string;
  json: string;
  /** What the endpoint wants back with this call. */
  extra: Json | undefined;
}

const stops: Readonly<Record<string, ModelStop>> = { length: 'length', content_filter: 'refusal' };

/**
 * Puts chunks together, forgiving what compatible servers get wrong: calls without id or index, ids used
 * before (`usedIds`), a finish reason of `stop` after calls, text in pieces of content.
 */
export function chatAssembler(author: string, usedIds: ReadonlySet<string>): Assembler<ChatEvent> {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  let text = '';
  let reasoning = '';
  const details: Json[] = [];
  let refused = false;
  let finishReason: string | null = null;
  let done = false;
  let usage: ModelReply['usage'] | null = null;
  let cost: number | undefined;
  return {
    push(event) {
      if (event === '[DONE]') {
        done = true;
        return '';
      }
      const chunk = ChatChunk.parse(event);
      const told = chunk.usage ?? chunk.x_groq?.usage;
      if (told) {
        usage = countTokens(told);
        cost = told.cost ?? cost;
      }
      const choice = chunk.choices?.[0];
      if (choice === undefined) return '';
      finishReason = choice.finish_reason ?? finishReason;
      const { delta } = choice;
      if (!delta) return '';
      if (typeof delta.reasoning_content === 'string') reasoning += delta.reasoning_content;
      for (const one of delta.reasoning_details ?? []) addDetail(details, one);
      for (const piece of delta.tool_calls ?? []) extendCall(piece, calls, byIndex);
      if (delta.refusal) refused = true;
      const said = plainText(delta.content) + (delta.refusal ?? '');
      text += said;
      return said;
    },
    finish() {
      // Some servers give no reason (Snowflake); that all of it came is then said by the counts and the mark at the end.
      if (finishReason === 'error' || (finishReason === null && !(done && usage !== null))) return null;
      const idFor = uniqueIds(usedIds);
      const parts: AssistantMessage['parts'] = [];
      const extras: Record<string, Json> = {};
      if (text !== '') parts.push({ type: 'text', text });
      for (const { id, name, json, extra } of calls) {
        const unique = idFor(id);
        if (extra !== undefined) extras[unique] = extra;
        parts.push({ type: 'tool_call', id: unique, name, input: parseCallInput(json) });
      }
      const value = {
        ...(reasoning !== '' && { reasoning_content: reasoning }),
        ...(details.length > 0 && { reasoning_details: details }),
        ...(Object.keys(extras).length > 0 && { extra_content: extras }),
      };
      if (Object.keys(value).length > 0) parts.unshift({ type: 'opaque', provider: author, value });
      const stop = refused
        ? 'refusal'
        : (stops[finishReason ?? ''] ?? (calls.length > 0 ? 'tool_calls' : 'end'));
      const charged = cost !== undefined && cost >= 0 ? { costUsd: cost } : {};
      return { message: { role: 'assistant', parts }, stop, usage: usage ?? noUsage, ...charged };
    },
  };
}

/** A piece belongs to the call at its index, unless it brings an id of its own. */
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

/** Reasoning in parts comes in pieces as well: what has the same place, and is plain text, is put together. */
function addDetail(details: Json[], piece: Json): void {
  const last = details.at(-1);
  if (!isRecord(piece)) return;
  const joins = ['text', 'summary', 'data'].find((key) => typeof piece[key] === 'string');
  if (!isRecord(last) || joins === undefined || last.type !== piece.type || last.index !== piece.index) {
    details.push({ ...piece });
    return;
  }
  const { [joins]: more, ...rest } = piece;
  Object.assign(last, rest, { [joins]: `${last[joins] ?? ''}${String(more)}` });
}

function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Some servers send the arguments as the object they stand for. */
function argumentText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Text, also where a server sends it as a list of content parts. */
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
 * Tokens of reasoning that `completion_tokens` leaves out, as xAI counts; at OpenAI and most others they are part of it. The
 * sum of all tokens tells the two apart.
 */
function reasoningBeside(usage: ChatUsage): number {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return (total ?? 0) >= (prompt ?? 0) + (completion ?? 0) + reasoning ? reasoning : 0;
}
