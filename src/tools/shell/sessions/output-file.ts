import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** What a file takes; a command that floods must not fill the disk that everything else needs. */
const standardBytes = 256 * 1024 * 1024;

/**
 * A file that output is appended to, up to 256 MiB. Written at once, so that what waits to be written can
 * never fill the memory, and so that the file is complete whenever somebody looks. A file that cannot be
 * written throws nothing: `whereabouts` says so.
 */
export class OutputFile {
  readonly path: string;
  readonly #limit: number;
  #descriptor: number | null = null;
  #given = 0;
  #kept = 0;
  #failure: Error | null = null;

  /** The file `<folder>/<name>.txt`, which is made, with its folder, when there is something to write. */
  constructor(folder: string, name: string, limit = standardBytes) {
    this.path = path.join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.txt`);
    this.#limit = limit;
  }

  append(chunk: Buffer): void {
    this.#given += chunk.length;
    const part = chunk.subarray(0, this.#limit - this.#kept);
    if (part.length === 0 || this.#failure !== null) return;
    try {
      this.#descriptor ??= this.#open();
      for (let at = 0; at < part.length; ) at += writeSync(this.#descriptor, part, at);
      this.#kept += part.length;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** True where everything it was given can be found in it, or as much as it may take. */
  get usable(): boolean {
    return this.#failure === null;
  }

  /** A clause that says where the output is, as far as it is anywhere. */
  get whereabouts(): string {
    return this.whereaboutsOf('lines');
  }

  /** The same for what of it is asked for: whole lines, or the inside of one that is too long for `read` to show. */
  whereaboutsOf(what: 'lines' | 'long line'): string {
    if (this.#failure !== null) return `they could not be kept: ${this.#failure.message}`;
    const lost = this.#given - this.#kept;
    return lost > 0
      ? `the first ${this.#kept} bytes of the output are in ${this.path}, ${lost} were not kept`
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
