import type { Json, JsonObject } from '../../../src/contract/json.ts';
import type { Message } from '../../../src/contract/message.ts';
import { halves, mergeNeighbours, readDataUrl } from './neutral.ts';
import { array, must, object, parsedOrRaw, string } from './read-body.ts';
import type { FullReply, NeutralRequest, WireAnswer, WireEvent } from './script.ts';

/** Reads a body of the Chat Completions API, as strictly as OpenAI's endpoint does. */
export function readChat(body: JsonObject): NeutralRequest {
  const entries = array(body.messages, 'messages').map((entry, index) => object(entry, `messages.${index}`));
  const isSystem = (entry: JsonObject) => entry.role === 'system' || entry.role === 'developer';
  return {
    model: string(body.model, 'model'),
    stream: body.stream === true,
    system: entries
      .filter(isSystem)
      .map((entry) => string(entry.content, 'messages.system.content'))
      .join('\n\n'),
    tools: array(body.tools ?? [], 'tools').map((entry, index) => {
      const tool = object(entry, `tools.${index}`);
      must(tool.type === 'function', `tools.${index}.type: expected function`);
      const definition = object(tool.function, `tools.${index}.function`);
      return {
        name: string(definition.name, `tools.${index}.function.name`),
        description: string(definition.description ?? '', `tools.${index}.function.description`),
        schema: object(definition.parameters, `tools.${index}.function.parameters`),
      };
    }),
    // Results are messages of their own on this wire; neutrally one user message answers one assistant message.
    messages: mergeNeighbours(
      entries.flatMap((entry, index) => (isSystem(entry) ? [] : [readMessage(entry, `messages.${index}`)])),
      ['user'],
    ),
  };
}

function readMessage(message: JsonObject, where: string): Message {
  if (message.role === 'tool') {
    return {
      role: 'user',
      parts: [
        {
          type: 'tool_result',
          call_id: string(message.tool_call_id, `${where}.tool_call_id`),
          content: [{ type: 'text', text: string(message.content, `${where}.content`) }],
          is_error: false,
        },
      ],
    };
  }
  if (message.role === 'user') return { role: 'user', parts: userParts(message.content, where) };
  must(message.role === 'assistant', `${where}.role: ${JSON.stringify(message.role)} is no role`);
  const text = message.content ?? null;
  const calls = array(message.tool_calls ?? [], `${where}.tool_calls`);
  must(text !== null || calls.length > 0, `${where}: content or tool_calls is required`);
  return {
    role: 'assistant',
    parts: [
      ...(text === null ? [] : [{ type: 'text' as const, text: string(text, `${where}.content`) }]),
      ...calls.map((entry, index) => {
        const call = object(entry, `${where}.tool_calls.${index}`);
        must(call.type === 'function', `${where}.tool_calls.${index}.type: expected function`);
        const details = object(call.function, `${where}.tool_calls.${index}.function`);
        return {
          type: 'tool_call' as const,
          id: string(call.id, `${where}.tool_calls.${index}.id`),
          name: string(details.name, `${where}.tool_calls.${index}.function.name`),
          input: parsedOrRaw(string(details.arguments, `${where}.tool_calls.${index}.function.arguments`)),
        };
      }),
    ],
  };
}

function userParts(content: Json | undefined, where: string) {
  if (typeof content === 'string') return [{ type: 'text' as const, text: content }];
  return array(content, `${where}.content`).map((entry, index) => {
    const part = object(entry, `${where}.content.${index}`);
    if (part.type === 'text') return { type: 'text' as const, text: string(part.text, `${where}.text`) };
    must(
      part.type === 'image_url',
      `${where}.content.${index}.type: ${JSON.stringify(part.type)} is unknown`,
    );
    return readDataUrl(object(part.image_url, `${where}.image_url`).url, where);
  });
}

const finishReasons = { end: 'stop', tool_calls: 'tool_calls', length: 'length', refusal: 'content_filter' };

/**
 * A reply in the format of Chat Completions; the usage comes last, as with
 * `stream_options.include_usage`.
 */
export function answerChat(reply: FullReply): WireAnswer {
  const usage = {
    prompt_tokens: reply.usage.input + reply.usage.cache_read,
    completion_tokens: reply.usage.output,
    total_tokens: reply.usage.input + reply.usage.cache_read + reply.usage.output,
    prompt_tokens_details: { cached_tokens: reply.usage.cache_read },
  };
  const base = { id: `chatcmpl-${reply.id}`, created: 1_700_000_000, model: reply.model };
  const chunk = (delta: JsonObject, finish_reason: string | null): WireEvent => ({
    data: { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] },
  });
  const calls = reply.calls.map(({ id, name, json }) => ({
    id,
    type: 'function',
    function: { name, arguments: json },
  }));
  return {
    plain: {
      ...base,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: finishReasons[reply.stop],
          message: {
            role: 'assistant',
            content: reply.text === '' ? null : reply.text,
            ...(calls.length > 0 && { tool_calls: calls }),
          },
        },
      ],
      usage,
    },
    events: [
      chunk({ role: 'assistant', content: '' }, null),
      ...halves(reply.text).map((content) => chunk({ content }, null)),
      ...calls.flatMap((call, index) => [
        chunk(
          { tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] },
          null,
        ),
        ...halves(call.function.arguments).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }, null),
        ),
      ]),
      chunk({}, finishReasons[reply.stop]),
      { data: { ...base, object: 'chat.completion.chunk', choices: [], usage } },
      { data: '[DONE]' },
    ],
  };
}
