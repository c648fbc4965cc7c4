import { expect, it } from 'vitest';
import { withTimeLimit } from '../../../src/agent/models/guard-wire.ts';
import type { Wire } from '../../../src/agent/models/model.ts';

const waiting: Wire = (request) =>
  new Promise((_, reject) => {
    const abort = () => reject(new Error('Request was aborted.'));
    if (request.signal.aborted) abort();
    request.signal.addEventListener('abort', abort);
  });
const request = { system: '', tools: [], messages: [], effort: 3, signal: new AbortController().signal };

it('a try that takes too long ends, whatever the SDK throws', async () => {
  await expect(withTimeLimit(waiting, 5)(request, () => {})).rejects.toMatchObject({
    name: 'ProviderError',
    problem: 'timeout',
    message: 'the answer was not whole after 0 seconds',
  });
});

it('an abort of the run stays an abort', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(withTimeLimit(waiting, 60_000)({ ...request, signal }, () => {})).rejects.toThrow(
    'Request was aborted.',
  );
});
