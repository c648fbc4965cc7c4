import { describe, expect, it } from 'vitest';
import { plainDialect } from '../../../src/agent/models/chat-dialect.ts';
import { toRunError } from '../../../src/agent/models/describe-failure.ts';
import {
  ProviderError,
  type ProviderProblem,
  RequestRejected,
} from '../../../src/agent/models/provider-error.ts';
import { noCloud } from '../../../src/agent/models/resolve-cloud.ts';
import type { ResolvedModel } from '../../../src/agent/models/resolve-provider.ts';
import { RetriesExhausted } from '../../../src/agent/models/retry.ts';
import { ConfigError, RunStopped } from '../../../src/contract/errors.ts';

const model: ResolvedModel = {
  provider: 'openai',
  model: 'gpt-5.5',
  wire: 'openai',
  mayBeChat: false,
  baseUrl: 'https://gateway.example/v1',
  key: 'sk-secret',
  keySource: 'OPENAI_API_KEY',
  nativeTools: true,
  images: true,
  contextWindow: 200_000,
  maxOutputTokens: null,
  host: null,
  cloud: noCloud,
  chat: plainDialect,
  price: null,
};
const explain = (problem: ProviderProblem, words: string, change: Partial<ResolvedModel> = {}) =>
  toRunError(new RetriesExhausted(new ProviderError(problem, words), 1), { ...model, ...change });

describe('toRunError', () => {
  it.each<[ProviderProblem, Partial<ResolvedModel>, string, (who: string, base: string) => string]>([
    [
      'unauthorized',
      {},
      'OPENAI_API_KEY',
      (who) => `${who} did not accept the key in OPENAI_API_KEY (no): set a valid one.`,
    ],
    [
      'unauthorized',
      { key: null },
      'OPENAI_API_KEY',
      (who) => `${who} asks for a key (no): set OPENAI_API_KEY.`,
    ],
    [
      'forbidden',
      {},
      'OPENAI_API_KEY',
      (who) =>
        `${who} does not allow the key in OPENAI_API_KEY to use the model gpt-5.5 (no): give the key this permission, or choose another model.`,
    ],
    [
      'not_found',
      {},
      'model',
      (who, base) =>
        `${who} knows no model gpt-5.5, or has no such endpoint (no): check the model's name and the base URL ${base}; for a server that only speaks Chat Completions set providers.openai.type to openai-compatible.`,
    ],
  ])('reports %s as an error of configuration (%j)', (problem, change, key, message) => {
    const error = explain(problem, 'no.', change);
    if (!(error instanceof ConfigError)) throw error;
    expect([error.key, error.message, error.detail]).toEqual([
      key,
      message('openai', 'in providers.openai.baseUrl'),
      message('gateway.example', 'https://gateway.example/v1'),
    ]);
  });

  it('ends the run with a remedy for every other error', () => {
    const error = explain('quota', 'You exceeded\n your quota.');
    const sentence = (which: string) =>
      `The model ${which} failed: You exceeded your quota. Tried once. The provider's quota is used up: check plan and billing.`;
    expect(error instanceof RunStopped && error.reason).toEqual({
      kind: 'provider_failed',
      message: sentence('openai/gpt-5.5'),
      detail: sentence('at gateway.example'),
    });
  });

  it("keeps the endpoint's address to the detail, also where the provider repeats it", () => {
    const words = 'no route to https://gateway.example/v1/responses (gateway.example:443)';
    const error = explain('server_error', words);
    const remedy =
      "Tried once. Start the run again later; if it persists, look at the provider's status page.";
    expect(error instanceof RunStopped && error.reason).toEqual({
      kind: 'provider_failed',
      message: `The model openai/gpt-5.5 failed: no route to the endpoint/responses (the endpoint:443). ${remedy}`,
      detail: `The model at gateway.example failed: ${words}. ${remedy}`,
    });
  });

  it('gives different remedies for a refusing filter, a failing provider and a long conversation', () => {
    const [refused, long] = [explain('refused', 'content filtered'), explain('too_long', '9 > 8 tokens')];
    const filtered = (who: string) =>
      `${who} refused the request: content filtered. Rephrase the task, keep the refused content out of what the run reads, or choose another model.`;
    expect([refused, long].map((error) => error instanceof RunStopped && error.reason)).toEqual([
      {
        kind: 'provider_refused',
        message: filtered('The filter of openai'),
        detail: filtered("The provider's filter at gateway.example"),
      },
      {
        kind: 'provider_failed',
        message:
          'The conversation does not fit into the window of gpt-5.5 any more (9 > 8 tokens). Give the run a smaller task, or set providers.openai.modelDefaults.gpt-5.5.maxContextTokens to what the model takes.',
      },
    ]);
  });

  it('separates a rejected request from other failures, because a shorter one may be accepted', () => {
    expect(
      (['rejected', 'too_long', 'server_error'] as const).map(
        (problem) => explain(problem, 'no') instanceof RequestRejected,
      ),
    ).toEqual([true, true, false]);
  });

  it('repeats neither the key nor a whole page', () => {
    const { message } = explain('rejected', `Bearer sk-secret ${'<p>'.repeat(1_000)}`);
    expect(message).not.toContain('sk-secret');
    expect(message).toContain('Bearer [key]');
    expect(message.length).toBeLessThan(700);
  });
});
