import { StringDecoder } from 'node:string_decoder';
import { newlinesIn } from '../../text/newlines-in.ts';
import { outputPreview } from '../../text/output-preview.ts';
import { terminalText } from '../../text/plain-text.ts';
import type { OutputFile } from './output-file.ts';

/** Maximum unread bytes in memory; the file holds all. */
const unreadBytes = 2 * 1024 * 1024;

/** Bytes returned of the beginning and the end of a longer output. */
const headBytes = 10 * 1024;
const tailBytes = 20 * 1024;

/** Half of a terminal sequence, or a carriage return whose newline may still come. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const half = /(?:\u001b(?:\[[\d;?]*|\][^\u0007\u001b]{0,200})?|\r+)$/;

/** The unread output of a program on a terminal. All of it also goes to a file. */
export class UnreadOutput {
  /** Bytes received so far. */
  total = 0;
  /** Time of the last output, by `performance.now()`. */
  lastAt = 0;
  /** Text of the unfinished line, which is the prompt if there is one. */
  lastLine = '';
  readonly #file: OutputFile;
  readonly #decoder = new StringDecoder('utf8');
  #chunks: Buffer[] = [];
  #bytes = 0;
  #dropped = 0;
  #heldBack = '';

  constructor(file: OutputFile) {
    this.#file = file;
  }

  /** Number of unread bytes. */
  get bytes(): number {
    return this.#bytes + this.#dropped;
  }

  push(chunk: Buffer): void {
    this.#file.append(chunk);
    this.total += chunk.length;
    this.lastAt = performance.now();
    const end = chunk.subarray(-200).toString('utf8');
    const line = (end.includes('\n') ? '' : this.lastLine) + end;
    this.lastLine = terminalText(line).split('\n').at(-1)?.slice(-200) ?? '';
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    let first = this.#chunks[0];
    while (first !== undefined && this.#bytes > unreadBytes) {
      this.#chunks.shift();
      this.#bytes -= first.length;
      this.#dropped += first.length;
      first = this.#chunks[0];
    }
  }

  /**
   * Takes the output as text, as a terminal displays it: whole, or beginning and end with a note
   * between. Half a character or terminal sequence waits for its rest, unless this is the `last`
   * part.
   */
  take(last: boolean): string {
    const bytes = Buffer.concat(this.#chunks);
    const dropped = this.#dropped;
    this.#chunks = [];
    this.#bytes = 0;
    this.#dropped = 0;
    const text = terminalText(this.#complete(bytes, last));
    const lost = dropped > 0 ? `[… left out: ${dropped} bytes; ${this.#file.whereabouts} …]\n` : '';
    return lost + this.#bounded(text);
  }

  #complete(bytes: Buffer, last: boolean): string {
    const text = this.#heldBack + this.#decoder.write(bytes) + (last ? this.#decoder.end() : '');
    const rest = last ? null : half.exec(text);
    this.#heldBack = rest?.[0] ?? '';
    return rest === null ? text : text.slice(0, rest.index);
  }

  #bounded(text: string): string {
    const whole = Buffer.from(text);
    if (whole.length <= headBytes + tailBytes) return text;
    return outputPreview({
      head: whole.subarray(0, headBytes),
      tail: whole.subarray(-tailBytes),
      bytes: whole.length,
      newlines: newlinesIn(whole),
      whereaboutsOf: (what) => this.#file.whereaboutsOf(what),
    });
  }
}
