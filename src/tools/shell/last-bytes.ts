/** The end of what a program printed: what it says of its own end stands there. */
export interface LastBytes {
  readonly push: (chunk: Buffer) => void;
  text(): string;
}

/** Keeps the last `most` bytes of an output: some tens of KiB, not more, as each piece that comes copies them. */
export function lastBytes(most: number): LastBytes {
  let kept: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      kept = Buffer.from(Buffer.concat([kept, chunk.subarray(-most)]).subarray(-most));
    },
    text: () => kept.toString('utf8'),
  };
}
