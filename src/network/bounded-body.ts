/**
 * What comes of a stream up to `most` bytes, which are counted as they are read, after decompression. One more, and it ends
 * with `tooLarge()`; an error of the stream goes through `explain`. Cancelling cancels the stream.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  most: number,
  explain: (error: unknown) => unknown,
  tooLarge: () => Error,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          size += value.byteLength;
          if (size > most) {
            // What is still to come need not be waited for.
            void reader.cancel().catch(() => undefined);
            return controller.error(tooLarge());
          }
          controller.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          controller.error(explain(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
