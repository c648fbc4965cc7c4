import { expect, test } from 'vitest';
import { withoutRefusedImages } from '../../../src/agent/models/guard-wire.ts';
import type { ModelRequest, Wire } from '../../../src/agent/models/model.ts';
import { ProviderError } from '../../../src/agent/models/provider-error.ts';
import type { ImagePart, Message } from '../../../src/contract/message.ts';

const image = (data: string): ImagePart => ({ type: 'image', media_type: 'image/png', data });
const [good, bad] = [image('good'), image('bad')];
const result = (id: string, part: ImagePart): Message => ({
  role: 'user',
  parts: [{ type: 'tool_result', call_id: id, content: [{ type: 'text', text: id }, part], is_error: false }],
});
const reply: Message = { role: 'assistant', parts: [{ type: 'text', text: 'Hm.' }] };

/**
 * A wire that rejects requests with the given data, and the requests it received, with images as
 * their data.
 */
function wireThatRefuses(data: string, error = new ProviderError('rejected', 'bad image')) {
  const sent: string[][] = [];
  const wire: Wire = async ({ messages }) => {
    const seen = messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        (part.type === 'tool_result' ? part.content : [part]).flatMap((piece) =>
          piece.type === 'image' ? [piece.data] : piece.type === 'text' ? [piece.text] : [],
        ),
      ),
    );
    sent.push(seen);
    if (seen.includes(data)) throw error;
    return {
      message: { role: 'assistant', parts: [] },
      stop: 'end',
      usage: { input: 1, output: 1, cache_read: 0, cache_write: 0 },
    };
  };
  return { wire, sent };
}
const ask = (wire: Wire, messages: Message[]) => {
  const request: ModelRequest = {
    system: '',
    tools: [],
    messages,
    effort: 0,
    signal: new AbortController().signal,
  };
  return wire(request, () => undefined);
};
const limits = { images: true, maxCharacters: null };
const refusal = '[image left out: the endpoint refused it]';

test('an image that an endpoint refuses is replaced permanently, and earlier ones are not', async () => {
  const { wire, sent } = wireThatRefuses('bad');
  const careful = withoutRefusedImages(wire, limits);
  await ask(careful, [result('a', good)]);
  await ask(careful, [result('a', good), reply, result('b', bad)]);
  await ask(careful, [result('a', good), reply, result('b', bad), reply]);
  expect(sent).toEqual([
    ['a', 'good'],
    ['a', 'good', 'Hm.', 'b', 'bad'],
    ['a', 'good', 'Hm.', 'b', refusal],
    ['a', 'good', 'Hm.', 'b', refusal, 'Hm.'],
  ]);
});

test('a request that is also refused without images fails with the first reason', async () => {
  const first = new ProviderError('rejected', 'the prompt is too long');
  const { wire, sent } = wireThatRefuses('a', first);
  await expect(ask(withoutRefusedImages(wire, limits), [result('a', bad)])).rejects.toBe(first);
  expect(sent).toHaveLength(2);
});

test.each([
  ['without an image', [result('a', good), reply], 'Hm.', 'rejected'],
  ['that failed for another reason', [result('a', bad)], 'bad', 'overloaded'],
] as const)('a request %s is not sent again', async (_, messages, data, problem) => {
  const { wire, sent } = wireThatRefuses(data, new ProviderError(problem, 'no'));
  const careful = withoutRefusedImages(wire, limits);
  if (problem === 'rejected') await ask(careful, [result('a', good)]);
  const before = sent.length;
  await expect(ask(careful, [...messages])).rejects.toThrow('no');
  expect(sent.length - before).toBe(1);
});

test('a model without images, or without large ones, gets text instead', async () => {
  const { wire, sent } = wireThatRefuses('never');
  await ask(withoutRefusedImages(wire, { images: false, maxCharacters: null }), [result('a', good)]);
  await ask(withoutRefusedImages(wire, { images: true, maxCharacters: 4096 }), [
    result('a', image('A'.repeat(4097))),
    result('b', image('A'.repeat(4096))),
  ]);
  expect(sent).toEqual([
    ['a', '[image left out: this model takes no images]'],
    [
      'a',
      '[image left out: this model takes at most 3 KiB; make a smaller copy and view that]',
      'b',
      'A'.repeat(4096),
    ],
  ]);
});
