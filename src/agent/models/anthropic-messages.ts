import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import {
  type ContentBlockParam,
  type ImageBlockParam,
  type MessageCreateParamsStreaming,
  Messages,
  type RawMessageStreamEvent,
  type TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { type Json, omitUndefined } from '../../contract/json.ts';
import { nonEmpty } from '../../contract/lists.ts';
import type { AssistantMessage, ImagePart, Message, TextPart } from '../../contract/message.ts';
import type { Usage } from '../../contract/usage.ts';
import { addUsage, noUsage } from '../../contract/usage-sums.ts';
import type { Endpoint, ModelReply, ModelRequest, ModelStop, Wire } from './model.ts';
import { type Assembler, streamReply } from './stream-reply.ts';
import { claudeOutputTokens, claudeThinking } from './thinking-parameters.ts';
import { callInputObject, callName, parseCallInput } from './wire-calls.ts';

/**
 * The Messages API by Anthropic's SDK. The client's base class with the one resource we use is a
 * third of the whole client's code. Its own retries, logging and telemetry are off.
 */
export function anthropicMessages(endpoint: Endpoint): Wire {
  const client = new BaseAnthropic({
    apiKey: endpoint.key ?? 'none',
    baseURL: endpoint.baseUrl,
    maxRetries: 0,
    timeout: 3_600_000,
    fetch: endpoint.fetch,
    logLevel: 'off',
    openTelemetry: false,
  });
  return messagesWire(new Messages(client), endpoint);
}

/**
 * The same over the resource of any client: the clouds have clients of their own, made of the same
 * class.
 */
export function messagesWire(messages: Pick<Messages, 'create'>, endpoint: Endpoint): Wire {
  const ask: Wire = (request, onText) =>
    streamReply(
      () => messages.create(anthropicRequest(request, endpoint), { signal: request.signal }),
      APIError,
      anthropicAssembler(endpoint.author),
      { onText, onEvent: request.onEvent },
    );
  return async (request, onText) => {
    let reply: PausedReply = await ask(request, onText);
    // A turn that the server paused continues directly after the message, without text in between.
    for (let times = 0; reply.paused === true && times < mostContinuations; times += 1) {
      const more: PausedReply = await ask(
        { ...request, messages: [...request.messages, reply.message] },
        onText,
      );
      reply = {
        ...more,
        message: { role: 'assistant', parts: [...reply.message.parts, ...more.message.parts] },
        usage: addUsage(reply.usage, more.usage),
      };
    }
    const { paused, ...whole } = reply;
    return paused === true ? { ...whole, stop: 'length' } : whole;
  };
}

/** Most continuations of one turn after a pause. Then a text asks the model to continue. */
const mostContinuations = 10;

/**
 * A reply, or with `paused` a part of one: the server's own tools took long, and it waits for
 * another request (`pause_turn`).
 */
type PausedReply = ModelReply & { readonly paused?: true };

type Block =
  | { kind: 'text'; text: string }
  | { kind: 'call'; id: string; name: string; json: string }
  | { kind: 'opaque'; value: Record<string, Json>; json: string };

const stops: Readonly<Record<string, ModelStop>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
};

/**
 * Assembles the stream's events itself. The SDK's accumulator guesses at arguments that are not
 * JSON, which must reach the model's next turn unchanged.
 */
export function anthropicAssembler(author: string): Assembler<RawMessageStreamEvent> {
  const blocks = new Map<number, Block>();
  let usage: Usage = noUsage;
  let stopReason: string | null = null;
  let complete = false;
  return {
    push(event) {
      // One answer is one message.
      if (complete) return '';
      switch (event.type) {
        case 'message_start': {
          const { message } = event;
          usage = countTokens(noUsage, message.usage);
          stopReason = message.stop_reason ?? null;
          // Usually empty; a message that is already complete comes in one piece.
          for (const [index, block] of (message.content ?? []).entries())
            blocks.set(index, startBlock(block));
          return '';
        }
        case 'content_block_start': {
          const block = startBlock(event.content_block);
          blocks.set(event.index, block);
          return block.kind === 'text' ? block.text : '';
        }
        case 'content_block_delta':
          return extend(blocks.get(event.index), event.delta);
        case 'message_delta':
          stopReason = event.delta.stop_reason ?? stopReason;
          usage = countTokens(usage, event.usage);
          return '';
        case 'message_stop':
          complete = true;
          return '';
        default:
          return '';
      }
    },
    finish() {
      if (!complete || stopReason === null) return null;
      const parts = [...blocks.values()].flatMap((block) => toPart(block, author));
      const message: AssistantMessage = { role: 'assistant', parts };
      const paused = stopReason === 'pause_turn' ? (true as const) : undefined;
      return omitUndefined({ message, stop: stops[stopReason] ?? 'end', usage, paused });
    },
  };
}

/** Counts of a message so far. */
type Counted = Partial<Extract<RawMessageStreamEvent, { type: 'message_delta' }>['usage']>;

/**
 * Counts are totals: the newest one applies, as the input of the server's tools is counted while
 * the message is made.
 */
function countTokens(before: Usage, counts: Counted | undefined): Usage {
  return {
    input: counts?.input_tokens ?? before.input,
    output: counts?.output_tokens ?? before.output,
    cache_read: counts?.cache_read_input_tokens ?? before.cache_read,
    cache_write: counts?.cache_creation_input_tokens ?? before.cache_write,
  };
}

type ContentBlockStart = Extract<RawMessageStreamEvent, { type: 'content_block_start' }>['content_block'];
type ContentBlockDelta = Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>['delta'];

function startBlock(block: ContentBlockStart): Block {
  if (block.type === 'text') return { kind: 'text', text: block.text };
  if (block.type === 'tool_use') {
    const input = JSON.stringify(block.input ?? {});
    return { kind: 'call', id: block.id, name: block.name, json: input === '{}' ? '' : input };
  }
  return { kind: 'opaque', value: JSON.parse(JSON.stringify(block)) as Record<string, Json>, json: '' };
}

function extend(block: Block | undefined, delta: ContentBlockDelta): string {
  if (block === undefined) throw new TypeError('a delta for a block that was not started');
  if (block.kind === 'text' && delta.type === 'text_delta') {
    block.text += delta.text;
    return delta.text;
  }
  if (block.kind !== 'text' && delta.type === 'input_json_delta') block.json += delta.partial_json;
  if (block.kind === 'opaque' && delta.type === 'thinking_delta') {
    block.value.thinking = `${block.value.thinking ?? ''}${delta.thinking}`;
  }
  if (block.kind === 'opaque' && delta.type === 'signature_delta') block.value.signature = delta.signature;
  return '';
}

function toPart(block: Block, author: string): AssistantMessage['parts'] {
  switch (block.kind) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'call':
      return [{ type: 'tool_call', id: block.id, name: block.name, input: parseCallInput(block.json) }];
    case 'opaque':
      return [{ type: 'opaque', provider: author, value: opaqueValue(block) }];
  }
}

/**
 * Returns a block for the next request. The input of a call of the server's own tools was streamed
 * in pieces.
 */
function opaqueValue({ value, json }: Extract<Block, { kind: 'opaque' }>): Record<string, Json> {
  return json === '' ? value : { ...value, input: callInputObject(parseCallInput(json)) };
}

const cached = { cache_control: { type: 'ephemeral' as const } };

/**
 * Builds a request of the Messages API. Four cache breakpoints: the last tool, the system text, and
 * the last two user messages. So a turn with many results still finds the prefix of the turn
 * before. The same messages always give the same bytes.
 */
export function anthropicRequest(request: ModelRequest, endpoint: Endpoint): MessageCreateParamsStreaming {
  const messages = request.messages.flatMap((message) => translate(message, endpoint.author));
  const breakpoints = messages.filter(({ role }) => role === 'user').slice(-2);
  const tools = request.tools.map(({ name, description, input_schema }, index, { length }) => {
    const tool = { name, description, input_schema: { ...input_schema, type: 'object' as const } };
    return index === length - 1 ? { ...tool, ...cached } : tool;
  });
  const system = { type: 'text' as const, text: request.system, ...cached };
  return omitUndefined({
    model: endpoint.model,
    max_tokens: endpoint.maxOutputTokens ?? claudeOutputTokens(endpoint.model),
    stream: true as const,
    ...claudeThinking(endpoint, request.effort, resumesThinking(messages)),
    tools: nonEmpty(tools),
    system: request.system === '' ? undefined : [system],
    messages: messages.map((message) =>
      breakpoints.includes(message) ? { ...message, content: markLast(message.content) } : message,
    ),
  });
}

type TranslatedMessage = { readonly role: Message['role']; readonly content: ContentBlockParam[] };

/** Returns true if there are no last calls, or if they follow signed thinking of this model. */
function resumesThinking(messages: readonly TranslatedMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? [];
  const first = last[0]?.type;
  return (
    !last.some(({ type }) => type === 'tool_use') || first === 'thinking' || first === 'redacted_thinking'
  );
}

function markLast(content: readonly ContentBlockParam[]): ContentBlockParam[] {
  return content.map((block, index) =>
    index === content.length - 1 && block.type !== 'thinking' && block.type !== 'redacted_thinking'
      ? { ...block, ...cached }
      : block,
  );
}

/** Empty texts are omitted, as the endpoint refuses them. A message of nothing else disappears. */
function translate(message: Message, author: string): TranslatedMessage[] {
  const content =
    message.role === 'user' ? userBlocks(message.parts) : assistantBlocks(message.parts, author);
  return content.length === 0 ? [] : [{ role: message.role, content }];
}

function userBlocks(parts: Extract<Message, { role: 'user' }>['parts']): ContentBlockParam[] {
  const results = parts.flatMap((part): ContentBlockParam[] => {
    if (part.type !== 'tool_result') return [];
    const content = part.content.flatMap(textOrImage);
    const result = { type: 'tool_result' as const, tool_use_id: part.call_id, content };
    return [part.is_error ? { ...result, is_error: true } : result];
  });
  // Results come first, before any text: the endpoint refuses any other order.
  return [...results, ...parts.flatMap((part) => (part.type === 'tool_result' ? [] : textOrImage(part)))];
}

function textOrImage(part: TextPart | ImagePart): (TextBlockParam | ImageBlockParam)[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  return [{ type: 'image', source: { type: 'base64', media_type: part.media_type, data: part.data } }];
}

function assistantBlocks(
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  author: string,
): ContentBlockParam[] {
  return parts.flatMap((part): ContentBlockParam[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type === 'tool_call') {
      return [
        { type: 'tool_use', id: part.id, name: callName(part.name), input: callInputObject(part.input) },
      ];
    }
    // Signed thinking is returned unchanged, and only to the provider that sent it.
    return part.provider === author ? [part.value as unknown as ContentBlockParam] : [];
  });
}
