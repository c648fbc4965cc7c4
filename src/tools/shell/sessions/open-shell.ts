import type { OpenProcess } from '../../../sandbox/command-runner.ts';
import { OutputFile } from './output-file.ts';
import { nothingTyped, type SessionInput, type TypedText, typed, typedAfter } from './session-input.ts';
import { readerOf } from './session-program.ts';
import { onTerminal } from './terminal-command.ts';
import { UnreadOutput } from './unread-output.ts';

/** Output is taken for finished after so long, where its last line looks like a prompt. */
const promptMs = 60;

/** Where it does not: a part of what the caller would wait, within bounds. */
const quietMs = (yieldMs: number): number => Math.min(3_000, Math.max(300, yieldMs / 4));

/** A last line that waits for an answer: `>>> `, `$ `, `(gdb) `, `Password: `, `[y/N] `, `Go on? `. */
const prompt = /(?:[>$#:?\])❯»] ?|% )$/;

/** How a session ended. */
export interface SessionEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A program that runs on while the model does other things, with what it said. */
export class ShellSession {
  readonly id: string;
  readonly command: string;
  /** Where it was started, relative to the workspace; '' for the root. */
  readonly folder: string;
  /** What reads the input: code of its own language, or anything that may be a shell. */
  readonly reader: 'interpreter' | 'shell';
  /** The file with all that it said. */
  readonly file: OutputFile;
  readonly output: UnreadOutput;
  /** Everything that was typed into it. */
  typed: TypedText = nothingTyped;
  /** The call that last had to do with it. */
  lastCall: string;
  /** Null while it runs. */
  end: SessionEnd | null = null;
  /** Whether it has a terminal; null until that is known. */
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

  /** Settles when the program can be typed to, or has ended. Rejects like `settled`. */
  started(signal: AbortSignal): Promise<void> {
    return this.#until(signal, (resolve) => {
      if (this.terminal !== null) resolve();
    });
  }

  /** Takes over the started program. */
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

  /** Ends the whole process tree; settles when it is gone and its last output is here. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    await this.#process?.ended.catch(() => undefined);
  }

  /** Types text, and Enter where it is wanted. A terminal's Enter is a carriage return. */
  write(input: SessionInput): void {
    const text = typed(input);
    this.typed = typedAfter(this.typed, input);
    this.#process?.write(this.terminal === true ? text.replaceAll('\n', '\r') : text);
  }

  /** Takes output as it comes. Its first line is ours: it says whether there is a terminal. */
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

  /** What it said since the last time somebody asked. */
  take(): string {
    return this.output.take(this.end !== null);
  }

  /**
   * Waits until the program has ended, stands at a prompt, or has said something and then nothing for a while;
   * `yieldMs` at most. Of what it said before, only what nobody asked for yet counts, or nothing where `since`
   * gives the bytes it had said. Rejects with the signal's reason, and with the defect where it never started.
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

  /** Looks whenever something comes, until the look resolves or the program has ended. */
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
