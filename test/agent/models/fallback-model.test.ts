import { describe, expect, it } from 'vitest';
import { fallbackModel } from '../../../src/agent/models/fallback-model.ts';
import type { Model } from '../../../src/agent/models/model.ts';
import { ProviderError, type ProviderProblem } from '../../../src/agent/models/provider-error.ts';
import { ConfigError, RunStopped } from '../../../src/contract/errors.ts';
import { noUsage } from '../../../src/contract/usage-sums.ts';

const request = { system: '', tools: [], messages: [], effort: 3, signal: new AbortController().signal };

/** A model that fails with each of the problems in turn, after a few words, and answers from then on. */
function failing(name: string, problems: readonly ProviderProblem[], reply = ''): Model & { asked: number } {
  const left = [...problems];
  return {
    name,
    nativeTools: true,
    contextWindow: name.length,
    asked: 0,
    cost: () => name.length,
    async complete(_, onText) {
      this.asked += 1;
      const problem = left.shift();
      if (reply !== '') onText(reply);
      if (problem !== undefined) {
        const cause = new ProviderError(problem, problem);
        throw new RunStopped({ kind: 'provider_failed', message: `${name} failed: ${problem}.` }, { cause });
      }
      return {
        message: { role: 'assistant', parts: [{ type: 'text', text: name }] },
        stop: 'end',
        usage: { ...noUsage },
      };
    },
  };
}

const option = (model: Model) => ({ name: model.name, open: async () => model });

describe('fallbackModel', () => {
  it.each<ProviderProblem>([
    'rate_limited',
    'overloaded',
    'server_error',
    'unreachable',
    'idle',
    'quota',
  ])('switches to the next model for the rest of the run if a provider fails as %s', async (problem) => {
    const first = failing('a/first', [problem]);
    const told: string[] = [];
    const model = fallbackModel(first, [option(failing('b/second', []))], (words) => told.push(words));
    const replies = [await model.complete(request, () => {}), await model.complete(request, () => {})];
    expect({
      said: replies.map(({ message }) => message.parts),
      told,
      asked: first.asked,
      now: [model.name, model.contextWindow, replies.map(({ usage }) => model.cost(usage))],
    }).toEqual({
      said: [[{ type: 'text', text: 'b/second' }], [{ type: 'text', text: 'b/second' }]],
      told: [`a/first failed: ${problem}. b/second took over from a/first for the rest of the run.`],
      asked: 1,
      now: ['b/second', 8, [8, 8]],
    });
  });

  it.each<ProviderProblem>([
    'rejected',
    'too_long',
    'refused',
  ])('does not switch after %s, because another model would only be asked to overrule it', async (problem) => {
    const second = failing('b/second', []);
    const model = fallbackModel(failing('a/first', [problem]), [option(second)], () => {});
    await expect(model.complete(request, () => {})).rejects.toThrow(`a/first failed: ${problem}.`);
    expect(second.asked).toBe(0);
  });

  it('does not switch after a wrong key', async () => {
    const wrong = new ConfigError('a wrong key', { key: 'A_KEY' });
    const first: Model = { ...failing('a/first', []), complete: () => Promise.reject(wrong) };
    const model = fallbackModel(first, [option(failing('b/second', []))], () => {});
    await expect(model.complete(request, () => {})).rejects.toBe(wrong);
  });

  it('skips models that cannot be created, and ends with the last failure', async () => {
    const reported: string[] = [];
    const model = fallbackModel(
      failing('a/first', ['overloaded']),
      [
        { name: 'b/none', open: () => Promise.reject(new ConfigError('set B_KEY.', { key: 'B_KEY' })) },
        option(failing('c/third', ['idle', 'idle'])),
      ],
      (words) => reported.push(words),
    );
    await expect(model.complete(request, () => {})).rejects.toThrow('c/third failed: idle.');
    expect(reported).toEqual([
      'The fallback b/none was passed over: set B_KEY.',
      'a/first failed: overloaded. c/third took over from a/first for the rest of the run.',
    ]);
  });

  it('switches once for parallel requests that fail', async () => {
    const reports: string[] = [];
    const model = fallbackModel(
      failing('a/first', ['overloaded', 'overloaded']),
      [option(failing('b/second', [])), option(failing('c/third', []))],
      (words) => reports.push(words),
    );
    await Promise.all([model.complete(request, () => {}), model.complete(request, () => {})]);
    expect([model.name, reports.length]).toEqual(['b/second', 1]);
  });

  it('notifies a listener that the other model starts again', async () => {
    const received: string[] = [];
    const model = fallbackModel(
      failing('a/first', ['broken'], 'I shall'),
      [option(failing('b/second', [], 'Let me'))],
      () => {},
    );
    await model.complete(request, (text) => received.push(text));
    expect(received.join('')).toBe('I shall\n\n[The answer broke off and begins again.]\n\nLet me');
  });
});
