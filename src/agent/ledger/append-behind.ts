import type { FileHandle } from 'node:fs/promises';

/** A new file that is written behind the run: nothing waits for it until it is closed. */
export interface AppendedFile {
  /** Buffers a text. */
  add(text: string): void;
  /** Hands what is buffered to the file, in order. */
  flush(): void;
  /** Writes everything and closes. Rejects if opening or a write failed. */
  close(): Promise<void>;
}

/** Appends to the file that `opening` gives. With `sync`, closing it waits for the disk. */
export function appendBehind(
  opening: Promise<FileHandle>,
  { sync }: { readonly sync: boolean },
): AppendedFile {
  let buffered = '';
  let tail: Promise<void> = opening.then(() => undefined);
  // Stored for `close`; without a handler here the rejection would count as unhandled.
  tail.catch(() => undefined);
  const flush = () => {
    if (buffered === '') return;
    const text = buffered;
    buffered = '';
    tail = tail.then(async () => (await opening).appendFile(text));
    tail.catch(() => undefined);
  };
  return {
    add: (text) => {
      buffered += text;
    },
    flush,
    async close() {
      flush();
      await tail;
      const handle = await opening;
      if (sync) await handle.datasync();
      await handle.close();
    },
  };
}
