import { describe, expect, test } from 'vitest';
import { ResponseError } from 'vscode-jsonrpc/node';
import type { Json } from '../../../src/contract/json.ts';
import { pendingRequests, serverRequests } from '../../../src/extensions/language/server-requests.ts';

type Answer = Json | Error | 'never';

/** A server that gives these answers, in turn; `cancelled` has the methods that it was told to give up. */
function played(...answers: readonly Answer[]) {
  const asked: unknown[] = [];
  const cancelled: string[] = [];
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  const serverProcess = {
    ended: null as string | null,
    gone: gone.promise,
    requestSent: () => asked.push('asking'),
    connection: {
      sendRequest(method: string, params: Json, token: { onCancellationRequested(act: () => void): void }) {
        asked.push([method, params]);
        token.onCancellationRequested(() => cancelled.push(method));
        const answer = answers[asked.length / 2 - 1] ?? null;
        if (answer === 'never') return new Promise(() => undefined);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
  };
  const pending = pendingRequests('toyls');
  const requests = serverRequests('toyls', serverProcess as never, pending);
  const controller = new AbortController();
  const ask = (timeoutMs = 60_000) =>
    requests
      .request('hover', { a: 1 }, { signal: controller.signal, timeoutMs })
      .catch((error: Error & { kind?: string }) => `${error.kind ?? error.name}: ${error.message}`);
  return { asked, cancelled, serverProcess, gone, pending, requests, controller, ask };
}
const refusal = (code: number, words: string) => new ResponseError(code, words);
const late =
  'timeout: toyls did not answer hover within 0.02 seconds. Try again, or use code_search or grep.';

describe('a request', () => {
  test('is answered and leaves nothing pending', async () => {
    const { ask, asked, pending, cancelled } = played({ b: 2 });
    expect([await ask(), asked, pending.rejections.size, cancelled]).toEqual([
      { b: 2 },
      ['asking', ['hover', { a: 1 }]],
      0,
      [],
    ]);
  });

  test('that the server refuses is reported with its message', async () => {
    const { ask, cancelled } = played(refusal(-32_603, `no\u0007 ${'x'.repeat(600)}`));
    const words = String(await ask());
    expect(words.startsWith('failed: toyls answered hover with an error: no')).toBe(true);
    expect([words.length, cancelled]).toEqual([
      'failed: toyls answered hover with an error: '.length + 500,
      [],
    ]);
  });

  test('is repeated while the server reports that it is not ready', async () => {
    const again = [-32_801, -32_802].map((code) => played(refusal(code, 'not now'), 'made'));
    expect(await Promise.all(again.map(({ ask }) => ask()))).toEqual(['made', 'made']);
    expect(again.map(({ asked }) => asked.length)).toEqual([4, 4]);
  });

  test('is cancelled at its time limit, and the server is notified', async () => {
    const { ask, cancelled, pending } = played('never');
    expect([await ask(20), cancelled, pending.rejections.size]).toEqual([late, ['hover'], 0]);
  });

  test('ends with an abort, before and after it was sent', async () => {
    const { ask, asked, cancelled, controller } = played('never');
    const requestSent = ask();
    controller.abort(new Error('stopped'));
    expect([await requestSent, cancelled]).toEqual(['Error: stopped', ['hover']]);
    expect([await ask(), asked.length]).toEqual(['Error: stopped', 2]);
  });

  test('ends with the server, with the reason of its end, and is not sent to an ended one', async () => {
    const { ask, asked, serverProcess, gone, cancelled } = played('never');
    const requestSent = ask();
    serverProcess.ended = 'ended with exit code 3';
    gone.reject(new Error('the connection is closed'));
    const words = 'ServerEnded: ended with exit code 3';
    expect([await requestSent, await ask(), asked.length, cancelled]).toEqual([words, words, 2, []]);
  });

  test('that fails in another way is cancelled', async () => {
    const { ask, cancelled } = played(new TypeError('ours'));
    expect([await ask(), cancelled]).toEqual(['TypeError: ours', ['hover']]);
  });
});

describe('an answer over the size limit', () => {
  const words = (bytes: number) =>
    `too_large: toyls sent an answer of ${bytes} bytes, which is too large to read. Ask for less: a narrower query, another file.`;
  test('ends the request that it belongs to, by their order', async () => {
    const { ask, pending } = played('never', 'never');
    const [first, second] = [ask(20), ask()];
    pending.tooLarge(7, 8);
    pending.tooLarge(1, 9);
    expect([await second, await first]).toEqual([words(9), late]);
  });

  test('ends all of them if its request is unknown', async () => {
    const { ask, pending } = played('never', 'never');
    const both = [ask(), ask()];
    pending.tooLarge(null, 9);
    expect(await Promise.all(both)).toEqual([words(9), words(9)]);
  });
});
