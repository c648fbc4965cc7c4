import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { ImagePart, type Message } from '../../../src/contract/message.ts';
import { halves } from './neutral.ts';
import { array, must, object, parsedOrRaw, string } from './read-body.ts';
import type { FullReply, NeutralRequest, WireAnswer, WireEvent } from './script.ts';

/** Reads a body of Anthropic's Messages API, as strictly as the endpoint does. */
export function readMessages(body: JsonObject): NeutralRequest {
  must(typeof body.max_tokens === 'number' && body.max_tokens > 0, 'max_tokens: field required');
  must(
    (JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0) <= 4,
    'a maximum of 4 cache_control blocks',
  );
  const thinking = body.thinking === undefined ? undefined : object(body.thinking, 'thinking');
  if (thinking?.type === 'enabled') {
    must(
      typeof thinking.budget_tokens === 'number' &&
        thinking.budget_tokens >= 1024 &&
        thinking.budget_tokens < body.max_tokens,
      'thinking.budget_tokens: must be at least 1024 and less than max_tokens',
    );
  }
  return {
    model: string(body.model, 'model'),
    stream: body.stream === true,
    system: systemText(body.system),
    tools: array(body.tools ?? [], 'tools').map((entry, index) => {
      const tool = object(entry, `tools.${index}`);
      return {
        name: string(tool.name, `tools.${index}.name`),
        description: string(tool.description ?? '', `tools.${index}.description`),
        schema: object(tool.input_schema, `tools.${index}.input_schema`),
      };
    }),
    messages: array(body.messages, 'messages').map((entry, index) =>
      readMessage(object(entry, `messages.${index}`), `messages.${index}`),
    ),
  };
}

function systemText(system: Json | undefined): string {
  if (system === undefined || typeof system === 'string') return system ?? '';
  return array(system, 'system')
    .map((block, index) => nonEmpty(object(block, `system.${index}`).text, `system.${index}.text`))
    .join('\n\n');
}

function nonEmpty(value: Json | undefined, where: string): string {
  const text = string(value, where);
  must(text !== '', `${where}: text content blocks must be non-empty`);
  return text;
}

function readMessage(message: JsonObject, where: string): Message {
  must(message.role === 'user' || message.role === 'assistant', `${where}.role: ${message.role} is no role`);
  const content =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : array(message.content, `${where}.content`);
  const blocks = content.map((block, index) => object(block, `${where}.content.${index}`));
  if (message.role === 'user') {
    const kinds = blocks.map((block) => block.type === 'tool_result');
    must(
      kinds.lastIndexOf(true) < kinds.filter(Boolean).length,
      `${where}: tool_result blocks must come first`,
    );
    return {
      role: 'user',
      parts: blocks.map((block, index) => userPart(block, `${where}.content.${index}`)),
    };
  }
  return {
    role: 'assistant',
    parts: blocks.map((block, index) => assistantPart(block, `${where}.content.${index}`)),
  };
}

function textOrImage(block: JsonObject, where: string) {
  if (block.type === 'text') return { type: 'text' as const, text: nonEmpty(block.text, `${where}.text`) };
  must(block.type === 'image', `${where}.type: ${JSON.stringify(block.type)} is not allowed here`);
  const source = object(block.source, `${where}.source`);
  must(source.type === 'base64', `${where}.source.type: only base64`);
  const image = ImagePart.safeParse({ type: 'image', media_type: source.media_type, data: source.data });
  must(image.success, `${where}.source: not an image`);
  return image.data;
}

function userPart(block: JsonObject, where: string) {
  if (block.type !== 'tool_result') return textOrImage(block, where);
  const content =
    typeof block.content === 'string'
      ? [{ type: 'text' as const, text: block.content }]
      : array(block.content ?? [], `${where}.content`).map((part, index) =>
          textOrImage(object(part, `${where}.content.${index}`), `${where}.content.${index}`),
        );
  return {
    type: 'tool_result' as const,
    call_id: string(block.tool_use_id, `${where}.tool_use_id`),
    content,
    is_error: block.is_error === true,
  };
}

function assistantPart(block: JsonObject, where: string) {
  if (block.type === 'text') return { type: 'text' as const, text: nonEmpty(block.text, `${where}.text`) };
  if (block.type === 'thinking') {
    const thinking = string(block.thinking, `${where}.thinking`);
    must(block.signature === sign(thinking), `${where}: Invalid \`signature\` in \`thinking\` block`);
    return { type: 'opaque' as const, provider: 'anthropic', value: block };
  }
  must(block.type === 'tool_use', `${where}.type: ${JSON.stringify(block.type)} is not allowed here`);
  return {
    type: 'tool_call' as const,
    id: string(block.id, `${where}.id`),
    name: string(block.name, `${where}.name`),
    input: object(block.input, `${where}.input`),
  };
}

function sign(thinking: string): string {
  return createHash('sha256').update(`thinking:${thinking}`).digest('base64');
}

const stopReasons = { end: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' };

/** A reply as the Messages API sends it. */
export function answerMessages(reply: FullReply): WireAnswer {
  const usage = {
    input_tokens: reply.usage.input,
    cache_read_input_tokens: reply.usage.cache_read,
    cache_creation_input_tokens: reply.usage.cache_write,
    output_tokens: reply.usage.output,
  };
  const base = {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    stop_sequence: null,
  };
  const blocks: { start: JsonObject; deltas: JsonObject[]; whole: JsonObject }[] = [];
  if (reply.thinking !== '') {
    const signature = sign(reply.thinking);
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: reply.thinking },
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking: reply.thinking, signature },
    });
  }
  if (reply.text !== '') {
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: halves(reply.text).map((text) => ({ type: 'text_delta', text })),
      whole: { type: 'text', text: reply.text },
    });
  }
  for (const call of reply.calls) {
    const start = { type: 'tool_use', id: call.id, name: call.name, input: {} };
    const deltas = halves(call.json).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    blocks.push({ start, deltas, whole: { ...start, input: parsedOrRaw(call.json) } });
  }
  const events: JsonObject[] = [
    {
      type: 'message_start',
      message: { ...base, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: 'ping' },
    ...blocks.flatMap(({ start, deltas }, index): JsonObject[] => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReasons[reply.stop], stop_sequence: null },
      usage: { output_tokens: reply.usage.output },
    },
    { type: 'message_stop' },
  ];
  return {
    plain: {
      ...base,
      content: blocks.map(({ whole }) => whole),
      stop_reason: stopReasons[reply.stop],
      usage,
    },
    events: events.map((data): WireEvent => ({ event: string(data.type, 'type'), data })),
  };
}
