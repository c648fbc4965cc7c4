/** The end of a program's output, which usually explains its exit. */
export interface LastBytes {
  readonly push: (chunk: Buffer) => void;
  text(): string;
}

/** Keeps the last `most` bytes of an output. Use some tens of KiB, as each chunk copies them. */
export function lastBytes(most: number): LastBytes {
  let stored: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      stored = Buffer.from(Buffer.concat([stored, chunk.subarray(-most)]).subarray(-most));
    },
    text: () => stored.toString('utf8'),
  };
}
