import { StringDecoder } from 'node:string_decoder';
import { newlinesIn } from '../../text/newlines-in.ts';
import { outputPreview } from '../../text/output-preview.ts';
import { terminalText } from '../../text/plain-text.ts';
import type { OutputFile } from './output-file.ts';

/** What is kept in memory of output that nobody asked for yet; all of it is in the file. */
const unreadBytes = 2 * 1024 * 1024;

/** Of what is taken at once, the beginning and the end where it is longer than both. */
const headBytes = 10 * 1024;
const tailBytes = 20 * 1024;

/** Half an order to the terminal, or a carriage return whose newline may still come. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const half = /(?:\u001b(?:\[[\d;?]*|\][^\u0007\u001b]{0,200})?|\r+)$/;

/** What a program on a terminal has said since somebody last asked. All of it goes to a file as well. */
export class UnreadOutput {
  /** How many bytes came so far. */
  total = 0;
  /** When the last came, by `performance.now()`. */
  lastAt = 0;
  /** What stands in the line that has not ended, which is the prompt where there is one. */
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

  /** How many bytes nobody has asked for. */
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
   * Takes it as text, as it stands on the terminal: whole, or beginning and end with a note between them. Half
   * a character, or half an order to the terminal, waits for its rest unless this is the `last` of it.
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
