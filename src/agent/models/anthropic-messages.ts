import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import { Messages, type RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Json } from '../../contract/json.ts';
import type { AssistantMessage } from '../../contract/message.ts';
import { noUsage, type Usage } from '../../contract/usage.ts';
import { anthropicRequest } from './anthropic-request.ts';
import { parseCallInput } from './call-input.ts';
import type { ModelStop } from './model.ts';
import { type Assembler, streamReply } from './stream-reply.ts';
import type { Endpoint, Wire } from './wire.ts';

/**
 * The Messages API by Anthropic's SDK. The client's base class with the one resource we use is a third of
 * the whole client's code. Its own retries, logging and telemetry are off.
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

/** The same over the resource of any client: the clouds have clients of their own, made of the same class. */
export function messagesWire(messages: Pick<Messages, 'create'>, endpoint: Endpoint): Wire {
  return (request, onText) =>
    streamReply(
      () => messages.create(anthropicRequest(request, endpoint), { signal: request.signal }),
      APIError,
      anthropicAssembler(endpoint.author),
      onText,
    );
}

type Block =
  | { kind: 'text'; text: string }
  | { kind: 'call'; id: string; name: string; json: string }
  | { kind: 'opaque'; value: Record<string, Json> };

const stops: Readonly<Record<string, ModelStop>> = {
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
};

/**
 * Puts the stream's events together ourselves: the SDK's own accumulator guesses at arguments that are no
 * JSON, which must reach the model's next turn as what they are.
 */
export function anthropicAssembler(author: string): Assembler<RawMessageStreamEvent> {
  const blocks = new Map<number, Block>();
  let usage: Usage = noUsage;
  let stopReason: string | null = null;
  let complete = false;
  return {
    push(event) {
      switch (event.type) {
        case 'message_start': {
          const { input_tokens, output_tokens } = event.message.usage;
          usage = {
            input: input_tokens,
            output: output_tokens,
            cache_read: event.message.usage.cache_read_input_tokens ?? 0,
            cache_write: event.message.usage.cache_creation_input_tokens ?? 0,
          };
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
          usage = { ...usage, output: event.usage.output_tokens };
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
      return { message, stop: stops[stopReason] ?? 'end', usage };
    },
  };
}

type ContentBlockStart = Extract<RawMessageStreamEvent, { type: 'content_block_start' }>['content_block'];
type ContentBlockDelta = Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>['delta'];

function startBlock(block: ContentBlockStart): Block {
  if (block.type === 'text') return { kind: 'text', text: block.text };
  if (block.type === 'tool_use') {
    const given = JSON.stringify(block.input ?? {});
    return { kind: 'call', id: block.id, name: block.name, json: given === '{}' ? '' : given };
  }
  return { kind: 'opaque', value: JSON.parse(JSON.stringify(block)) as Record<string, Json> };
}

function extend(block: Block | undefined, delta: ContentBlockDelta): string {
  if (block === undefined) throw new TypeError('a delta for a block that was not started');
  if (block.kind === 'text' && delta.type === 'text_delta') {
    block.text += delta.text;
    return delta.text;
  }
  if (block.kind === 'call' && delta.type === 'input_json_delta') block.json += delta.partial_json;
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
      return [{ type: 'opaque', provider: author, value: block.value }];
  }
}
