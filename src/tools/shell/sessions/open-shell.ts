import { StringDecoder } from 'node:string_decoder';
import { monotonicMs } from '../../../contract/monotonic-ms.ts';
import { analyseScript } from '../../../permissions/shell/analyse-script.ts';
import type { OpenProcess } from '../../../sandbox/command-runner.ts';
import { quotedWord } from '../../../sandbox/quoted-word.ts';
import { newlinesIn, outputPreview } from '../../text/output-preview.ts';
import { terminalText } from '../../text/plain-text.ts';
import { OutputFile } from './output-file.ts';
import { nothingTyped, type SessionInput, type TypedText, typed, typedAfter } from './session-input.ts';

/** Milliseconds after which output is complete if its last line looks like a prompt. */
const promptMs = 60;

/** Milliseconds after which output is complete otherwise. */
const silenceMs = (yieldMs: number): number => Math.min(3_000, Math.max(300, yieldMs / 4));

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

  /** Resolves when the program accepts input or has ended. Rejects like `waitForOutput`. */
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
      this.#notify();
    };
    process.ended.then(
      (end) => ended(end, null),
      (failure: unknown) => ended({ exitCode: null, signal: null }, failure),
    );
  }

  /** Ends the process tree; resolves when it has ended and its last output has arrived. */
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

  /** Receives output. Its first line is ours, and shows whether there is a terminal. */
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
    this.#notify();
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
  async waitForOutput(yieldMs: number, signal: AbortSignal, since?: number): Promise<void> {
    const { output } = this;
    const start = since ?? output.total - output.bytes;
    const timers: { longest?: NodeJS.Timeout; quiet?: NodeJS.Timeout } = {};
    const waited = this.#until(signal, (resolve) => {
      timers.longest ??= setTimeout(resolve, yieldMs);
      clearTimeout(timers.quiet);
      if (output.total <= start) return;
      const wait = prompt.test(output.lastLine) ? promptMs : silenceMs(yieldMs);
      timers.quiet = setTimeout(resolve, Math.max(0, wait - (monotonicMs() - output.lastAt)));
    });
    await waited.finally(() => {
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

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Maximum unread bytes in memory; the file holds all. */
const unreadBytes = 2 * 1024 * 1024;

/** Bytes returned of the beginning and the end of a longer output. */
const headBytes = 10 * 1024;
const tailBytes = 20 * 1024;

/** Half of a terminal sequence, or a carriage return whose newline may still come. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const incompleteSequence = /(?:\u001b(?:\[[\d;?]*|\][^\u0007\u001b]{0,200})?|\r+)$/;

/** The unread output of a program on a terminal. All of it also goes to a file. */
export class UnreadOutput {
  /** Bytes received so far. */
  total = 0;
  /** Time of the last output, by `monotonicMs()`. */
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
    this.lastAt = monotonicMs();
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
    const rest = last ? null : incompleteSequence.exec(text);
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

/**
 * Programs that read code or queries of their own, no shell commands. Their input cannot be
 * evaluated as shell. Once allowed, each may do anything its language can.
 */
const interpreters = new Set(
  (
    'python python2 python3 ipython bpython node deno bun ts-node tsx ruby irb pry perl php psysh lua luajit ' +
    'psql mysql mariadb sqlite3 duckdb redis-cli mongosh clickhouse-client gdb lldb pdb jdb dlv ghci iex erl ' +
    'scala jshell groovysh clojure clj julia R Rscript octave maxima gp bc dc ocaml utop racket guile sbcl ' +
    'swipl swift evcxr kotlin'
  ).split(' '),
);

/** Folders of the machine's own programs; one in the checkout could be any program. */
const systemFolder = /^(?:\/usr(?:\/local)?)?\/bin\//;

/**
 * Returns the reader of a session's input. Only a single known interpreter of the machine counts as
 * one. Any other command may be a shell, or start one.
 */
export function readerOf(command: string): 'interpreter' | 'shell' {
  const { commands, redirections, syntaxError, unknown, doubt } = analyseScript(command);
  const [only, ...others] = commands;
  const plain = [syntaxError, unknown, doubt].every((problem) => problem === null);
  if (only === undefined || others.length > 0 || redirections.length > 0 || !plain) return 'shell';
  // A variable such as PATH may change the program.
  if (only.assignments.length > 0 || only.wrappers.some((wrapper) => wrapper !== 'timeout')) return 'shell';
  const name = (only.words[0]?.value ?? '').replace(systemFolder, '');
  return interpreters.has(name) || /^python[23]\.\d+$/.test(name) ? 'interpreter' : 'shell';
}

/** Content of the first output line: whether the program got a terminal. */
export const onTerminal = 'terminal';
const onPipes = 'pipes';

/** Sets up a terminal on which programs draw nothing. Echo is off: the model knows its input. */
const setTerminal = 'stty -echo rows 40 cols 120; export TERM=dumb COLUMNS=120 LINES=40';

/**
 * Returns the script that runs a command on a terminal, made by `script` (util-linux), else on
 * pipes. It first prints a line that names which, when input may come. Job control works; inside a
 * sandbox the terminal is the sandbox's own.
 */
export function terminalCommand(command: string): string {
  const run = `exec bash -c ${quotedWord(command)}`;
  return `if script -qec true /dev/null </dev/null >/dev/null 2>&1
then exec script -qec ${quotedWord(`${setTerminal}; echo ${onTerminal}; ${run}`)} /dev/null
else echo ${onPipes}; exec 2>&1; ${run}
fi`;
}
