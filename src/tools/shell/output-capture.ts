import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

/** Of an output longer than this only its beginning and end are kept in memory, half of it each. */
const memoryBytes = 1024 * 1024;

/** What a command said. */
export interface CapturedOutput {
  /** All of it, or beginning and end with a note between them. */
  readonly text: string;
  readonly bytes: number;
  /** The file with the whole output, where `text` is not all of it. */
  readonly spill: string | null;
}

/**
 * Takes output piece by piece. Up to 1 MiB stays in memory; of a longer one, all goes to a file in `folder`
 * as it comes, so that nothing is lost and memory stays small.
 */
export class OutputCapture {
  readonly #path: string;
  readonly #folder: string;
  #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;
  #spill: Promise<WriteStream> | null = null;
  #finished: Promise<CapturedOutput> | null = null;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#path = join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.txt`);
  }

  readonly push = (chunk: Buffer): void => {
    const before = this.#bytes;
    this.#bytes += chunk.length;
    if (this.#bytes <= memoryBytes) {
      this.#head.push(chunk);
      return;
    }
    if (this.#spill === null) this.#startSpill();
    this.#toSpill(chunk);
    this.#toTail(before < memoryBytes / 2 ? chunk.subarray(memoryBytes / 2 - before) : chunk);
    if (before < memoryBytes / 2) this.#head.push(chunk.subarray(0, memoryBytes / 2 - before));
  };

  /** Ends the capture; the file, if there is one, is complete then. Later calls give the same. */
  finish(): Promise<CapturedOutput> {
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  async #finish(): Promise<CapturedOutput> {
    const head = Buffer.concat(this.#head).toString('utf8');
    if (this.#spill === null) return { text: head, bytes: this.#bytes, spill: null };
    const stream = await this.#spill;
    stream.end();
    await finished(stream);
    const tail = Buffer.concat(this.#tail)
      .subarray(-memoryBytes / 2)
      .toString('utf8');
    const left = this.#bytes - memoryBytes;
    return {
      text: `${head}\n[… ${left} bytes left out; the whole output is in ${this.#path} …]\n${tail}`,
      bytes: this.#bytes,
      spill: this.#path,
    };
  }

  #startSpill(): void {
    const soFar = Buffer.concat(this.#head);
    this.#head = [soFar.subarray(0, memoryBytes / 2)];
    this.#toTail(soFar.subarray(memoryBytes / 2));
    this.#spill = mkdir(this.#folder, { recursive: true }).then(() => createWriteStream(this.#path));
    this.#toSpill(soFar);
  }

  #toSpill(chunk: Buffer): void {
    this.#spill =
      this.#spill?.then((stream) => {
        stream.write(chunk);
        return stream;
      }) ?? null;
  }

  #toTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    let first = this.#tail[0];
    while (first !== undefined && this.#tailBytes - first.length >= memoryBytes / 2) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
      first = this.#tail[0];
    }
  }
}
