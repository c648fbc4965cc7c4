import type { OpenProcess } from '../../../sandbox/command-runner.ts';
import { OutputFile } from './output-file.ts';
import { nothingTyped, type SessionInput, type TypedText, typed, typedAfter } from './session-input.ts';
import { readerOf } from './session-program.ts';
import { onTerminal } from './terminal-command.ts';
import { UnreadOutput } from './unread-output.ts';

/** Milliseconds after which output is complete if its last line looks like a prompt. */
const promptMs = 60;

/** Milliseconds after which output is complete otherwise. */
const quietMs = (yieldMs: number): number => Math.min(3_000, Math.max(300, yieldMs / 4));

/** A last line that waits for input: `>>> `, `$ `, `(gdb) `, `Password: `, `[y/N] `, `Go on? `. */
const prompt = /(?:[>$#:?\])❯»] ?|% )$/;

/** The end of a session. */
export interface SessionEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A program that keeps running between calls, with its output. */
export class ShellSession {
  readonly id: string;
  readonly command: string;
  /** Its folder, relative to the workspace; empty for the root. */
  readonly folder: string;
  /** The reader of its input: an interpreter of another language, or possibly a shell. */
  readonly reader: 'interpreter' | 'shell';
  /** The file with all its output. */
  readonly file: OutputFile;
  readonly output: UnreadOutput;
  /** All text typed into it. */
  typed: TypedText = nothingTyped;
  /** The last call that used it. */
  lastCall: string;
  /** Null while it runs. */
  end: SessionEnd | null = null;
  /** True if it has a terminal; null until known. */
  terminal: boolean | null = null;
  #process: OpenProcess | null = null;
  #failure: unknown = null;
  #greeting = '';
  readonly #listeners = new Set<() => void>();

  constructor(start: { id: string; command: string; folder: string; callId: string; spillFolder: string }) {
    this.id = start.id;
    this.command = start.command;
    this.folder = start.folder;
    this.lastCall = start.callId;
    this.file = new OutputFile(start.spillFolder, start.id);
    this.output = new UnreadOutput(this.file);
    this.reader = readerOf(start.command);
  }

  /** Resolves when the program accepts input or has ended. Rejects like `settled`. */
  started(signal: AbortSignal): Promise<void> {
    return this.#until(signal, (resolve) => {
      if (this.terminal !== null) resolve();
    });
  }

  /** Attaches the started program. */
  follow(process: OpenProcess): void {
    this.#process = process;
    const ended = (end: SessionEnd, failure: unknown) => {
      this.end = { exitCode: end.exitCode, signal: end.signal };
      this.#failure = failure;
      this.file.close();
      this.#tell();
    };
    process.ended.then(
      (end) => ended(end, null),
      (failure: unknown) => ended({ exitCode: null, signal: null }, failure),
    );
  }

  /** Ends the process tree; resolves when it is gone and its last output has arrived. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    await this.#process?.ended.catch(() => undefined);
  }

  /** Types text, and Enter if requested. Enter on a terminal is a carriage return. */
  write(input: SessionInput): void {
    const text = typed(input);
    this.typed = typedAfter(this.typed, input);
    this.#process?.write(this.terminal === true ? text.replaceAll('\n', '\r') : text);
  }

  /** Takes output. Its first line is ours, and tells whether there is a terminal. */
  readonly push = (chunk: Buffer): void => {
    let output = chunk;
    if (this.terminal === null) {
      const at = chunk.indexOf(10);
      this.#greeting += chunk.subarray(0, at === -1 ? undefined : at).toString('latin1');
      if (at === -1) return;
      this.terminal = this.#greeting.trim() === onTerminal;
      output = chunk.subarray(at + 1);
    }
    if (output.length > 0) this.output.push(output);
    this.#tell();
  };

  /** Returns the output since the last call. */
  take(): string {
    return this.output.take(this.end !== null);
  }

  /**
   * Waits until the program has ended, prompts, or falls silent after some output; `yieldMs` at
   * most. Earlier output counts if unread, or not at all if `since` gives its bytes. Rejects with
   * the signal's reason, and with the error of a failed start.
   */
  async settled(yieldMs: number, signal: AbortSignal, since?: number): Promise<void> {
    const { output } = this;
    const start = since ?? output.total - output.bytes;
    const timers: { longest?: NodeJS.Timeout; quiet?: NodeJS.Timeout } = {};
    const settling = this.#until(signal, (resolve) => {
      timers.longest ??= setTimeout(resolve, yieldMs);
      clearTimeout(timers.quiet);
      if (output.total <= start) return;
      const wait = prompt.test(output.lastLine) ? promptMs : quietMs(yieldMs);
      timers.quiet = setTimeout(resolve, Math.max(0, wait - (performance.now() - output.lastAt)));
    });
    await settling.finally(() => {
      clearTimeout(timers.longest);
      clearTimeout(timers.quiet);
    });
  }

  /** Calls `look` on every event until it resolves or the program has ended. */
  async #until(signal: AbortSignal, look: (resolve: () => void) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const listener = () => {
      if (this.end === null) look(resolve);
      else if (this.#failure === null) resolve();
      else reject(this.#failure);
    };
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#listeners.add(listener);
    if (signal.aborted) abort();
    else listener();
    await promise.finally(() => {
      this.#listeners.delete(listener);
      signal.removeEventListener('abort', abort);
    });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
