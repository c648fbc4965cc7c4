import { isUtf8 } from 'node:buffer';
import { newlinesIn, outputPreview } from '../text/output-preview.ts';
import { looksBinary, plainText } from '../text/plain-text.ts';
import { OutputFile } from './sessions/output-file.ts';

/** Bytes kept in memory of the beginning and the end of a long output. */
const headBytes = 4 * 1024;
const tailBytes = 12 * 1024;

const noUtf8Note = '\n[each \ufffd replaces bytes that are not UTF-8]';

/** The output of a command. */
export interface CapturedOutput {
  /** All of it, or its beginning and end with a note between; only a note for binary output. */
  readonly text: string;
  readonly bytes: number;
  /** The file with the output, up to its limit, if `text` is not all of it. */
  readonly spill: string | null;
}

/**
 * Captures output chunk by chunk. Up to 16 KiB stays in memory; a longer output goes to a file in
 * `folder`, up to 256 MiB. If the file cannot be written, only the part beyond memory is lost, and
 * the text says so.
 */
export class OutputCapture {
  readonly #file: OutputFile;
  #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;
  #newlines = 0;
  #spilling = false;
  #finished: CapturedOutput | null = null;

  constructor(folder: string, name: string, spillBytes?: number) {
    this.#file = new OutputFile(folder, name, spillBytes);
  }

  readonly push = (chunk: Buffer): void => {
    const before = this.#bytes;
    this.#bytes += chunk.length;
    this.#newlines += newlinesIn(chunk);
    if (this.#bytes <= headBytes + tailBytes) {
      this.#head.push(chunk);
      return;
    }
    if (!this.#spilling) this.#startSpill();
    this.#file.append(chunk);
    this.#toTail(chunk);
    if (before < headBytes) this.#head.push(chunk.subarray(0, headBytes - before));
  };

  /** Ends the capture; a file is complete then. Later calls return the same. */
  finish(): CapturedOutput {
    this.#finished ??= this.#finish();
    return this.#finished;
  }

  #finish(): CapturedOutput {
    const head = Buffer.concat(this.#head);
    const bytes = this.#bytes;
    const beginning = head.toString('utf8');
    if (looksBinary(beginning)) {
      if (!this.#spilling) this.#file.append(head);
      this.#file.close();
      const text = `[output that is no text, ${bytes} bytes, is not shown; ${this.#file.whereabouts}; \`od -c\` shows it]`;
      return { text, bytes, spill: this.#spill() };
    }
    if (!this.#spilling) {
      const text = plainText(beginning) + (isUtf8(head) ? '' : noUtf8Note);
      return { text, bytes, spill: null };
    }
    this.#file.close();
    const tail = Buffer.concat(this.#tail).subarray(-tailBytes);
    const whereaboutsOf = (what: 'lines' | 'long line') => this.#file.whereaboutsOf(what);
    const text = outputPreview({ head, tail, bytes, newlines: this.#newlines, whereaboutsOf });
    return {
      text: plainText(text) + (text.includes('\ufffd') ? noUtf8Note : ''),
      bytes,
      spill: this.#spill(),
    };
  }

  #spill(): string | null {
    return this.#file.usable ? this.#file.path : null;
  }

  #startSpill(): void {
    this.#spilling = true;
    const soFar = Buffer.concat(this.#head);
    this.#head = [soFar.subarray(0, headBytes)];
    this.#toTail(soFar);
    this.#file.append(soFar);
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
