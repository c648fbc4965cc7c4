import type { Json, JsonObject } from '../../../src/contract/json.ts';
import type { AssistantMessage, Message } from '../../../src/contract/message.ts';
import { halves, mergeNeighbours, readDataUrl } from './neutral.ts';
import { array, must, object, parsedOrRaw, string } from './read-body.ts';
import {
  type FullReply,
  type NeutralRequest,
  RejectedRequest,
  type WireAnswer,
  type WireEvent,
} from './script.ts';

/** Reads a body of OpenAI's Responses API, as strictly as the endpoint does. */
export function readResponses(body: JsonObject): NeutralRequest {
  const input =
    typeof body.input === 'string'
      ? [{ type: 'message', role: 'user', content: body.input }]
      : array(body.input, 'input').map((entry, index) => object(entry, `input.${index}`));
  const isSystem = (item: JsonObject) => item.role === 'system' || item.role === 'developer';
  const messages = input.flatMap((item, index) =>
    isSystem(item) ? [] : [readItem(item, `input.${index}`, body.store === false)],
  );
  return {
    model: string(body.model, 'model'),
    stream: body.stream === true,
    system: [
      string(body.instructions ?? '', 'instructions'),
      ...input.filter(isSystem).map((item) => string(item.content, 'input.content')),
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
    tools: array(body.tools ?? [], 'tools').map((entry, index) => {
      const tool = object(entry, `tools.${index}`);
      must(tool.type === 'function', `tools.${index}.type: expected function`);
      return {
        name: string(tool.name, `tools.${index}.name`),
        description: string(tool.description ?? '', `tools.${index}.description`),
        schema: object(tool.parameters, `tools.${index}.parameters`),
      };
    }),
    // Each call, text and result is an item of its own on this wire.
    messages: mergeNeighbours(messages, ['user', 'assistant']),
  };
}

function readItem(item: JsonObject, where: string, stateless: boolean): Message {
  const assistant = (part: AssistantMessage['parts'][number]): Message => ({
    role: 'assistant',
    parts: [part],
  });
  switch (item.type ?? 'message') {
    case 'message':
      return readMessageItem(item, where);
    case 'reasoning': {
      must(typeof item.id === 'string', `${where}.id: missing`);
      if (stateless) {
        must(
          typeof item.encrypted_content === 'string',
          `${where}: item ${item.id} not found; store is false`,
        );
      }
      must(
        item.encrypted_content === undefined || item.encrypted_content === encrypt(item.id),
        `${where}: the encrypted content could not be verified`,
      );
      return assistant({ type: 'opaque', provider: 'openai', value: item });
    }
    case 'function_call':
      return assistant({
        type: 'tool_call',
        id: string(item.call_id, `${where}.call_id`),
        name: string(item.name, `${where}.name`),
        input: parsedOrRaw(string(item.arguments, `${where}.arguments`)),
      });
    case 'function_call_output':
      return {
        role: 'user',
        parts: [
          {
            type: 'tool_result',
            call_id: string(item.call_id, `${where}.call_id`),
            content: contentParts(item.output, `${where}.output`),
            is_error: false,
          },
        ],
      };
    default:
      throw new RejectedRequest(`${where}.type: ${JSON.stringify(item.type)} is unknown`);
  }
}

function readMessageItem(item: JsonObject, where: string): Message {
  must(
    item.role === 'user' || item.role === 'assistant',
    `${where}.role: ${JSON.stringify(item.role)} is no role`,
  );
  const parts = contentParts(item.content, `${where}.content`);
  if (item.role === 'user') return { role: 'user', parts };
  return {
    role: 'assistant',
    parts: parts.map((part) => {
      must(part.type === 'text', `${where}: an assistant message holds text`);
      return part;
    }),
  };
}

function contentParts(content: Json | undefined, where: string) {
  if (typeof content === 'string') return [{ type: 'text' as const, text: content }];
  return array(content, where).map((entry, index) => {
    const part = object(entry, `${where}.${index}`);
    if (part.type === 'input_image') return readDataUrl(part.image_url, `${where}.${index}`);
    must(
      part.type === 'input_text' || part.type === 'output_text',
      `${where}.${index}.type: ${JSON.stringify(part.type)} is unknown`,
    );
    return { type: 'text' as const, text: string(part.text, `${where}.${index}.text`) };
  });
}

function encrypt(id: string): string {
  return Buffer.from(`reasoning of ${id}`).toString('base64');
}

/** A reply as the Responses API sends it. */
export function answerResponses(reply: FullReply): WireAnswer {
  const turns: { item: JsonObject; start: JsonObject; middle: (index: number) => JsonObject[] }[] = [];
  if (reply.thinking !== '') {
    const id = `rs_${reply.id}`;
    const item = {
      id,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: reply.thinking }],
      encrypted_content: encrypt(id),
    };
    turns.push({ item, start: { ...item, summary: [] }, middle: () => [] });
  }
  if (reply.text !== '') turns.push(textItem(reply));
  for (const call of reply.calls) turns.push(callItem(call));
  const input = reply.usage.input + reply.usage.cache_read;
  const incomplete = { length: 'max_output_tokens', refusal: 'content_filter', end: null, tool_calls: null }[
    reply.stop
  ];
  const response = {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: 1_700_000_000,
    model: reply.model,
    status: incomplete === null ? 'completed' : 'incomplete',
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    error: null,
    output: turns.map(({ item }) => item),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: reply.usage.cache_read },
      output_tokens: reply.usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + reply.usage.output,
    },
    parallel_tool_calls: true,
    tools: [],
    metadata: {},
  };
  const started = { ...response, status: 'in_progress', output: [], usage: null };
  const events: JsonObject[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...turns.flatMap(({ item, start, middle }, output_index): JsonObject[] => [
      { type: 'response.output_item.added', output_index, item: start },
      ...middle(output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: incomplete === null ? 'response.completed' : 'response.incomplete', response },
  ];
  return {
    plain: response,
    events: events.map(
      (data, sequence_number): WireEvent => ({
        event: string(data.type, 'type'),
        data: { ...data, sequence_number },
      }),
    ),
  };
}

function textItem(reply: FullReply) {
  const id = `msg_${reply.id}`;
  const part = { type: 'output_text', text: reply.text, annotations: [] };
  const item = { id, type: 'message', role: 'assistant', status: 'completed', content: [part] };
  const middle = (output_index: number): JsonObject[] => {
    const place = { item_id: id, output_index, content_index: 0 };
    return [
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...halves(reply.text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_text.done', ...place, text: reply.text },
      { type: 'response.content_part.done', ...place, part },
    ];
  };
  return { item, start: { ...item, status: 'in_progress', content: [] }, middle };
}

function callItem(call: FullReply['calls'][number]) {
  const id = `fc_${call.id}`;
  const item = {
    id,
    type: 'function_call',
    call_id: call.id,
    name: call.name,
    arguments: call.json,
    status: 'completed',
  };
  const middle = (output_index: number): JsonObject[] => [
    ...halves(call.json).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: id,
      output_index,
      delta,
    })),
    {
      type: 'response.function_call_arguments.done',
      item_id: id,
      output_index,
      name: call.name,
      arguments: call.json,
    },
  ];
  return { item, start: { ...item, status: 'in_progress', arguments: '' }, middle };
}
