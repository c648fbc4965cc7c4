import { randomUUID } from 'node:crypto';
import { APIError } from 'openai/core/error';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions/completions';
import type { AssistantMessage, Message } from '../../contract/message.ts';
import { noUsage } from '../../contract/usage.ts';
import { parseCallInput } from './call-input.ts';
import { chatRequest } from './chat-request.ts';
import type { ModelReply, ModelStop } from './model.ts';
import { openaiClient } from './openai-client.ts';
import { type Assembler, streamReply } from './stream-reply.ts';
import type { Endpoint, Wire } from './wire.ts';

/** Chat Completions by OpenAI's SDK: the wire of every compatible endpoint, local servers included. */
export function openaiChat(endpoint: Endpoint): Wire {
  const { completions } = openaiClient(endpoint).chat;
  return (request, onText) =>
    streamReply<ChatCompletionChunk>(
      () => completions.create(chatRequest(request, endpoint), { signal: request.signal }),
      APIError,
      chatAssembler(endpoint.provider, callIds(request.messages)),
      onText,
    );
}

/** The ids of all calls so far. */
function callIds(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === 'tool_call') ids.add(part.id);
  }
  return ids;
}

interface Call {
  id: string;
  name: string;
  json: string;
}

const stops: Readonly<Record<string, ModelStop>> = { length: 'length', content_filter: 'refusal' };

/**
 * Puts chunks together, forgiving what compatible servers get wrong: calls without id or index, ids used
 * before (`usedIds`), a finish reason of `stop` after calls, text in pieces of content.
 */
export function chatAssembler(
  provider: string,
  usedIds: ReadonlySet<string>,
): Assembler<ChatCompletionChunk> {
  const calls: Call[] = [];
  const byIndex = new Map<number, Call>();
  let text = '';
  let reasoning = '';
  let refused = false;
  let finishReason: string | null = null;
  let usage = noUsage;
  return {
    push(chunk) {
      if (chunk.usage) usage = countTokens(chunk.usage);
      const choice = chunk.choices?.[0];
      if (choice === undefined) return '';
      finishReason = choice.finish_reason ?? finishReason;
      const delta: ChatCompletionChunk.Choice.Delta & { reasoning_content?: unknown } = choice.delta ?? {};
      if (typeof delta.reasoning_content === 'string') reasoning += delta.reasoning_content;
      for (const piece of delta.tool_calls ?? []) extendCall(piece, calls, byIndex);
      if (delta.refusal) refused = true;
      const said = plainText(delta.content) + (delta.refusal ?? '');
      text += said;
      return said;
    },
    finish() {
      if (finishReason === null) return null;
      const seen = new Set(usedIds);
      const parts: AssistantMessage['parts'] = [];
      if (reasoning !== '') {
        parts.push({ type: 'opaque', provider, value: { reasoning_content: reasoning } });
      }
      if (text !== '') parts.push({ type: 'text', text });
      for (const { id, name, json } of calls) {
        const unique = id === '' || seen.has(id) ? `call_${randomUUID()}` : id;
        seen.add(unique);
        parts.push({ type: 'tool_call', id: unique, name, input: parseCallInput(json) });
      }
      const stop = refused ? 'refusal' : (stops[finishReason] ?? (calls.length > 0 ? 'tool_calls' : 'end'));
      return { message: { role: 'assistant', parts }, stop, usage };
    },
  };
}

/** A piece belongs to the call at its index, unless it brings an id of its own. */
function extendCall(
  piece: ChatCompletionChunk.Choice.Delta.ToolCall,
  calls: Call[],
  byIndex: Map<number, Call>,
): void {
  const index = piece.index ?? Math.max(0, calls.length - 1);
  const id = piece.id ?? '';
  let call = byIndex.get(index);
  if (call === undefined || (id !== '' && call.id !== '' && id !== call.id)) {
    call = { id, name: '', json: '' };
    calls.push(call);
    byIndex.set(index, call);
  }
  call.id ||= id;
  call.name ||= piece.function?.name ?? '';
  call.json += argumentText(piece.function?.arguments);
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
function countTokens(usage: NonNullable<ChatCompletionChunk['usage']>): ModelReply['usage'] {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cached),
    output: usage.completion_tokens ?? 0,
    cache_read: cached,
    cache_write: 0,
  };
}
