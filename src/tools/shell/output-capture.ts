import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { newlinesIn } from './newlines-in.ts';
import { outputPreview } from './output-preview.ts';

/** Of an output longer than both together, only this much of its beginning and its end is kept in memory. */
const headBytes = 10 * 1024;
const tailBytes = 20 * 1024;

/** What a file takes; a command that floods must not fill the disk that everything else needs. */
const standardSpillBytes = 256 * 1024 * 1024;

/** What a command said. */
export interface CapturedOutput {
  /** All of it, or beginning and end with a note between them. */
  readonly text: string;
  readonly bytes: number;
  /** The file with the output, or as much of it as it may take, where `text` is not all of it. */
  readonly spill: string | null;
}

/**
 * Takes output piece by piece. Up to 30 KiB stays in memory; a longer one goes to a file in `folder` as it
 * comes, up to 256 MiB. A file that cannot be written costs only what does not fit into memory; the text says so.
 */
export class OutputCapture {
  readonly #path: string;
  readonly #folder: string;
  #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;
  #newlines = 0;
  #spilled = 0;
  #failure: Error | null = null;
  #spill: Promise<WriteStream | null> | null = null;
  #finished: Promise<CapturedOutput> | null = null;

  readonly #spillBytes: number;

  constructor(folder: string, name: string, spillBytes = standardSpillBytes) {
    this.#folder = folder;
    this.#spillBytes = spillBytes;
    this.#path = join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.txt`);
  }

  readonly push = (chunk: Buffer): void => {
    const before = this.#bytes;
    this.#bytes += chunk.length;
    this.#newlines += newlinesIn(chunk);
    if (this.#bytes <= headBytes + tailBytes) {
      this.#head.push(chunk);
      return;
    }
    if (this.#spill === null) this.#startSpill();
    this.#toSpill(chunk);
    this.#toTail(chunk);
    if (before < headBytes) this.#head.push(chunk.subarray(0, headBytes - before));
  };

  /** Ends the capture; the file, if there is one, is complete then. Later calls give the same. */
  finish(): Promise<CapturedOutput> {
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  async #finish(): Promise<CapturedOutput> {
    const head = Buffer.concat(this.#head);
    if (this.#spill === null) return { text: head.toString('utf8'), bytes: this.#bytes, spill: null };
    const stream = await this.#spill;
    stream?.end();
    if (stream !== null) await finished(stream).catch((error: Error) => this.#fail(error));
    return {
      text: outputPreview({
        head,
        tail: Buffer.concat(this.#tail).subarray(-tailBytes),
        bytes: this.#bytes,
        newlines: this.#newlines,
        whereabouts: this.#whereabouts(),
      }),
      bytes: this.#bytes,
      spill: this.#failure === null ? this.#path : null,
    };
  }

  #whereabouts(): string {
    if (this.#failure !== null) return `they could not be kept: ${this.#failure.message}`;
    const lost = this.#bytes - this.#spilled;
    return lost > 0
      ? `the first ${this.#spilled} bytes of the output are in ${this.#path}, ${lost} were not kept`
      : `the whole output is in ${this.#path}: use read or grep on it`;
  }

  #fail(error: Error): null {
    this.#failure ??= error;
    return null;
  }

  #startSpill(): void {
    const soFar = Buffer.concat(this.#head);
    this.#head = [soFar.subarray(0, headBytes)];
    this.#toTail(soFar);
    this.#spill = mkdir(this.#folder, { recursive: true }).then(
      () => createWriteStream(this.#path).on('error', (error) => void this.#fail(error)),
      (error: Error) => this.#fail(error),
    );
    this.#toSpill(soFar);
  }

  #toSpill(chunk: Buffer): void {
    const part = chunk.subarray(0, this.#spillBytes - this.#spilled);
    if (part.length === 0) return;
    this.#spilled += part.length;
    this.#spill =
      this.#spill?.then((stream) => {
        if (this.#failure === null) stream?.write(part);
        return stream;
      }) ?? null;
  }

  #toTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    let first = this.#tail[0];
    while (first !== undefined && this.#tailBytes - first.length >= tailBytes) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
      first = this.#tail[0];
    }
  }
}
