import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Maximum bytes of a file, so that a flood of output cannot fill the disk. */
const standardBytes = 256 * 1024 * 1024;

/**
 * A file for output, up to 256 MiB. It is written synchronously, so that nothing queues in memory
 * and readers find it complete. An unwritable file throws nothing: `whereabouts` reports it.
 */
export class OutputFile {
  readonly path: string;
  readonly #limit: number;
  #descriptor: number | null = null;
  #received = 0;
  #written = 0;
  #failure: Error | null = null;

  /** The file `<folder>/<name>.txt`, created with its folder on the first write. */
  constructor(folder: string, name: string, limit = standardBytes) {
    this.path = path.join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.txt`);
    this.#limit = limit;
  }

  append(chunk: Buffer): void {
    this.#received += chunk.length;
    const part = chunk.subarray(0, this.#limit - this.#written);
    if (part.length === 0 || this.#failure !== null) return;
    try {
      this.#descriptor ??= this.#open();
      for (let at = 0; at < part.length; ) at += writeSync(this.#descriptor, part, at);
      this.#written += part.length;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** True if it holds all output, up to its limit. */
  get usable(): boolean {
    return this.#failure === null;
  }

  /** Describes the location of the output in a clause. */
  get whereabouts(): string {
    return this.whereaboutsOf('lines');
  }

  /** Describes the location of whole lines, or of the inside of a line too long for `read`. */
  whereaboutsOf(what: 'lines' | 'long line'): string {
    if (this.#failure !== null) return `they could not be kept: ${this.#failure.message}`;
    const lost = this.#received - this.#written;
    return lost > 0
      ? `the first ${this.#written} bytes of the output are in ${this.path}, ${lost} were not kept`
      : `the whole output is in ${this.path}: use ${
          what === 'lines'
            ? 'read or grep on it'
            : '`cut -c` or `head -c` on it, as read shows only the beginning of so long a line'
        }`;
  }

  #open(): number {
    mkdirSync(path.dirname(this.path), { recursive: true });
    return openSync(this.path, 'w');
  }
}
