import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import {
  responsesAssembler,
  responsesRequest,
  withoutErrors,
} from '../../../src/agent/models/openai-responses.ts';
import { ProviderError } from '../../../src/agent/models/provider-error.ts';
import type { AssistantMessage } from '../../../src/contract/message.ts';
import { failure } from './adapter-contract.ts';
import { endpointFor } from './endpoint-fixture.ts';

const endpoint = (model: string) => endpointFor(`openai/${model}`, { maxOutputTokens: 1_000 });
const request = (effort: number, message?: AssistantMessage) => ({
  system: '',
  tools: [],
  messages: message === undefined ? [] : [message],
  effort,
  signal: new AbortController().signal,
});
const event = (value: object) => value as ResponseStreamEvent;

describe('responsesRequest', () => {
  it.each([
    ['gpt-5.5', 2, 'low'],
    ['gpt-5.5', 3, 'medium'],
    ['gpt-6-sol', 4, 'high'],
    ['o3', 0, 'low'],
  ])('sends %s at effort %i the reasoning effort %s and requests its reasoning', (model, effort, expected) => {
    expect(responsesRequest(request(effort), endpoint(model))).toEqual({
      model,
      stream: true,
      store: false,
      max_output_tokens: 1_000,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: expected },
      input: [],
    });
  });

  it.each(['gpt-4.1', 'gpt-5-chat-latest', 'fake'])('requests no reasoning from %s', (model) => {
    const { include, reasoning } = responsesRequest(request(4), endpoint(model));
    expect({ include, reasoning }).toEqual({ include: undefined, reasoning: undefined });
  });
});

describe('responsesAssembler', () => {
  it('returns reasoning and the phase of a text in the next request', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'xyz' };
    const text = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      phase: 'commentary',
    };
    const content = [{ type: 'output_text', text: 'I look.', annotations: [] }];
    const assembler = responsesAssembler('openai/gpt-5.5');
    assembler.push(event({ type: 'response.output_item.done', output_index: 0, item: reasoning }));
    assembler.push(event({ type: 'response.output_item.done', output_index: 1, item: { ...text, content } }));
    assembler.push(event({ type: 'response.completed', response: { usage: null } }));
    const message = assembler.finish()?.message;
    expect(message).toBeDefined();
    expect(responsesRequest(request(3, message), endpoint('gpt-5.5')).input).toEqual([
      reasoning,
      { type: 'message', role: 'assistant', content: 'I look.', phase: 'commentary' },
    ]);
  });

  it.each([
    [{ type: 'error', code: 'rate_limit_exceeded', message: 'slow down' }, 'rate_limited'],
    [
      { type: 'response.failed', response: { error: { code: 'server_error', message: 'slow down' } } },
      'server_error',
    ],
    [
      { type: 'response.failed', response: { error: { code: 'invalid_prompt', message: 'slow down' } } },
      'rejected',
    ],
  ])('reads the problem in %j', async (value, problem) => {
    async function* events() {
      yield event(value);
    }
    const error = await failure(withoutErrors(events()).next());
    expect(error instanceof ProviderError && [error.problem, error.message]).toEqual([problem, 'slow down']);
  });
});
