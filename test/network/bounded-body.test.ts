import { expect, test } from 'vitest';
import { boundedBody } from '../../src/network/bounded-body.ts';

/** A stream of chunks, and what it was cancelled for. */
function streamOf(...chunks: readonly (string | Error)[]) {
  const cancelled: unknown[] = [];
  const left = [...chunks];
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk === undefined) controller.close();
        else if (chunk instanceof Error) controller.error(chunk);
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel: (reason) => void cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { stream, cancelled, left };
}

const bounded = (stream: ReadableStream<Uint8Array>, most: number) =>
  boundedBody(
    stream,
    most,
    (error) => new Error(`explained: ${error instanceof Error ? error.message : String(error)}`),
    () => new Error('too large'),
  );
const textOf = (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => new Response(stream).text();

test('what comes up to the bound is passed on', async () => {
  const { stream, cancelled } = streamOf('abc', 'de');
  expect([await textOf(bounded(stream, 5)), cancelled]).toEqual(['abcde', []]);
});

test('one byte more ends it, and the stream, without the rest', async () => {
  const { stream, cancelled, left } = streamOf('abc', 'def', 'more');
  await expect(textOf(bounded(stream, 5))).rejects.toThrow('too large');
  expect([cancelled, left]).toEqual([[undefined], ['more']]);
});

test('an error of the stream is explained', async () => {
  const { stream } = streamOf('abc', new Error('broke'));
  await expect(textOf(bounded(stream, 5))).rejects.toThrow('explained: broke');
});

test('nothing is read ahead, and to cancel it cancels the stream', async () => {
  const { stream, cancelled, left } = streamOf('abc', 'de');
  const body = bounded(stream, 5);
  await Promise.resolve();
  await body.cancel('enough');
  expect([left, cancelled]).toEqual([['abc', 'de'], ['enough']]);
});
