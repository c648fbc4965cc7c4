import { expect, it } from 'vitest';
import type { Model, ModelReply } from '../../../src/agent/models/model.ts';
import { ProviderError, RequestRejected } from '../../../src/agent/models/provider-error.ts';
import type { Message } from '../../../src/contract/message.ts';
import { freshLedgers, run, usage } from '../loop-fixture.ts';

freshLedgers();

const reply = (part: Extract<Message, { role: 'assistant' }>['parts'][number]): ModelReply => ({
  ...{ message: { role: 'assistant', parts: [part] }, stop: 'end', usage },
});

it('a conversation fits the window of a fallback model that takes over within a request', async () => {
  const window = 6_000;
  let requests = 0;
  const model: Model = {
    ...{ name: 'test/model', nativeTools: true, cost: () => 0 },
    get contextWindow() {
      return requests <= 8 ? 100_000 : window;
    },
    async complete({ messages }) {
      requests += 1;
      if (requests <= 8)
        return reply({ type: 'tool_call', id: `c${requests}`, name: 'read', input: { path: '8000' } });
      if (JSON.stringify(messages).length > window * 4) {
        const cause = new ProviderError('too_long', 'prompt is too long');
        throw new RequestRejected({ kind: 'provider_failed', message: 'too long' }, { cause });
      }
      const summary = JSON.stringify(messages.at(-1)).includes('Write that note');
      return reply({ type: 'text', text: summary ? 'S' : 'done' });
    },
  };
  const { conclusion, answer } = await run([], { model, maxTurns: 9 });
  expect({ conclusion, answer, requests }).toEqual({ conclusion: 'success', answer: 'done', requests: 11 });
});
