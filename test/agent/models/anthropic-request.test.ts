import { describe, expect, it } from 'vitest';
import { anthropicRequest } from '../../../src/agent/models/anthropic-messages.ts';
import type { ModelRequest } from '../../../src/agent/models/model.ts';
import type { Message } from '../../../src/contract/message.ts';
import { endpointFor } from './endpoint-fixture.ts';

const endpoint = (model: string, maxOutputTokens: number | null = null) =>
  endpointFor(`anthropic/${model}`, { maxOutputTokens });
const tool = (name: string) => ({ name, description: name, input_schema: { type: 'object' } });
const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const request = (messages: Message[], effort = 3): ModelRequest => ({
  system: 'You test.',
  tools: [tool('a'), tool('b')],
  messages,
  effort,
  signal: new AbortController().signal,
});

describe('anthropicRequest', () => {
  it('marks the end of tools, system and the last two user messages for the cache', () => {
    const messages = [user('1'), assistant('2'), user('3'), assistant('4'), user('5')];
    const cached = { cache_control: { type: 'ephemeral' } };
    expect(anthropicRequest(request(messages), endpoint('fake'))).toEqual({
      model: 'fake',
      max_tokens: 8_192,
      stream: true,
      tools: [tool('a'), { ...tool('b'), ...cached }],
      system: [{ type: 'text', text: 'You test.', ...cached }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: '1' }] },
        { role: 'assistant', content: [{ type: 'text', text: '2' }] },
        { role: 'user', content: [{ type: 'text', text: '3', ...cached }] },
        { role: 'assistant', content: [{ type: 'text', text: '4' }] },
        { role: 'user', content: [{ type: 'text', text: '5', ...cached }] },
      ],
    });
  });

  it('keeps every byte before the newest messages from turn to turn, except for markers', () => {
    const text = (messages: Message[]) =>
      JSON.stringify(anthropicRequest(request(messages), endpoint('fake'))).replaceAll(
        ',"cache_control":{"type":"ephemeral"}',
        '',
      );
    const before = text([user('1'), assistant('2'), user('3')]);
    const after = text([user('1'), assistant('2'), user('3'), assistant('4'), user('5')]);
    expect(after.startsWith(before.slice(0, -']}'.length))).toBe(true);
  });

  it("puts results first and drops empty texts and other models' thinking", () => {
    const { messages } = anthropicRequest(
      request([
        user('go'),
        {
          role: 'assistant',
          parts: [
            { type: 'opaque', provider: 'openai', value: { type: 'reasoning' } },
            { type: 'text', text: '' },
            { type: 'tool_call', id: 'c', name: 'a', input: [1] },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'by the way' },
            { type: 'tool_result', call_id: 'c', content: [{ type: 'text', text: '' }], is_error: true },
          ],
        },
      ]),
      endpoint('fake'),
    );
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'a', input: { _raw: '[1]' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: [], is_error: true },
          { type: 'text', text: 'by the way', cache_control: { type: 'ephemeral' } },
        ],
      },
    ]);
  });

  it.each([
    ['claude-sonnet-4-6', 2, null, { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['claude-opus-5-5', 4, null, { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    ['claude-opus-4-7', 0, null, { output_config: { effort: 'low' } }],
    ['claude-haiku-4-5', 3, null, { thinking: { type: 'enabled', budget_tokens: 8_192 } }],
    ['claude-haiku-4-5', 4, 8_000, {}],
    ['claude-haiku-4-5', 0, null, {}],
    ['glm-5.1', 4, null, {}],
  ])('sends supported parameters to %s at effort %i (limit %j)', (model, effort, limit, expected) => {
    const { thinking, output_config } = anthropicRequest(
      request([user('1')], effort),
      endpoint(model, limit),
    );
    expect(JSON.parse(JSON.stringify({ thinking, output_config }))).toEqual(expected);
  });
});
