import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import type { CommandRunner, OpenProcess } from '../../sandbox/command-runner.ts';
import type { NodeCommand } from '../../sandbox/reachable-node.ts';
import { unlessAborted } from '../../tools/registry/promise-limits.ts';
import { messageLines } from '../protocol/message-lines.ts';
import { pythonProgram } from './python-program.ts';

/** Limits of one call: seconds, and bytes of memory. */
export const pythonLimits = { seconds: 10, memory: 64 * 1024 * 1024 } as const;

/** Maximum stored bytes of one call's output. */
const mostPrinted = 256 * 1024;
/** Maximum bytes of one answer, and of one line. */
const [mostAnswered, longestLine] = [4 * 1024 * 1024, 64 * 1024 * 1024];
/** Time-out for an interpreter that does not stop by itself. */
const answerMs = (pythonLimits.seconds + 10) * 1_000;

/** The result of some code. */
export interface PythonResult {
  readonly printed: string;
  /** The last expression in Python's notation; null for None. */
  readonly value: string | null;
  /** A traceback; null where there was no error. */
  readonly error: string | null;
}

/** Interpreters with lasting variables, one for each session, in one process. */
export interface PythonSessions {
  /**
   * Runs code, one call after the other. Throws `ToolError` if the process ends or hangs; its
   * variables are lost then.
   */
  run(code: string, session: string, reset: boolean, signal: AbortSignal): Promise<PythonResult>;
  close(): Promise<void>;
}

const Answer = z.object({
  id: z.string(),
  value: z.string().nullish(),
  error: z.string().nullish(),
});

/**
 * Creates sessions; the first call starts the process. `file` is the package's, which `runner`
 * mounts.
 */
export function createPythonSessions(place: {
  readonly file: string;
  readonly runner: () => Promise<CommandRunner>;
  readonly cwd: string;
  /** Starts Node in the sandbox of `runner`. */
  readonly node: NodeCommand;
  readonly limits?: { readonly answerMs: number };
}): PythonSessions {
  let running: Promise<Interpreter> | null = null;
  let runner: Promise<CommandRunner> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const runOne: PythonSessions['run'] = async (code, session, reset, signal) => {
    signal.throwIfAborted();
    // One that could not be made is tried again by the next call.
    runner ??= place.runner().catch((error: unknown) => {
      runner = null;
      throw error;
    });
    running ??= runner.then((one) => openInterpreter(one, place));
    const current = running;
    try {
      const late = AbortSignal.any([signal, AbortSignal.timeout(place.limits?.answerMs ?? answerMs)]);
      return await unlessAborted(
        current.then((one) => one.run({ code, session, reset })),
        late,
      );
    } catch (error) {
      if (running === current) running = null;
      await (await current.catch(() => null))?.kill();
      signal.throwIfAborted();
      if (error instanceof ToolError) throw error;
      throw new ToolError(
        'failed',
        'The Python interpreter ended, or did not answer in time. Its variables are gone; the next call starts a new one. Do less in one call.',
        { cause: error },
      );
    }
  };
  return {
    run(...call) {
      const result = last.then(() => runOne(...call));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      await (await running?.catch(() => null))?.kill();
      await (await runner?.catch(() => null))?.close();
    },
  };
}

interface Interpreter {
  run(request: { code: string; session: string; reset: boolean }): Promise<PythonResult>;
  kill(): Promise<void>;
}

async function openInterpreter(
  runner: CommandRunner,
  { file, cwd, node }: { readonly file: string; readonly cwd: string; readonly node: NodeCommand },
): Promise<Interpreter> {
  const { seconds, memory } = pythonLimits;
  const limits = JSON.stringify({ maxDurationSecs: seconds, maxMemory: memory, maxRecursionDepth: 500 });
  const args = ['--max-old-space-size=256', '--no-warnings', '-e', pythonProgram, file, limits];
  let output = new Printed('');
  let waiting: { readonly id: string; readonly end: PromiseWithResolvers<z.infer<typeof Answer>> } | null =
    null;
  const child: OpenProcess = await runner.open({
    command: node(args),
    cwd,
    onOutput: (chunk) => output.push(chunk),
    onError: messageLines(
      { message: mostAnswered, line: longestLine },
      {
        line: (text) => {
          const answer = Answer.safeParse(parseJson(text)).data;
          if (answer !== undefined && answer.id === waiting?.id) waiting.end.resolve(answer);
        },
        // No answer is so long: the call is left to its time.
        tooLong: () => undefined,
        endless: () => undefined,
      },
    ),
  });
  const ended = child.ended.then(() => {
    throw new Error('the interpreter ended');
  });
  ended.catch(() => undefined);
  return {
    async run(request) {
      const [id, end] = [randomUUID(), randomUUID()];
      const answer = Promise.withResolvers<z.infer<typeof Answer>>();
      output = new Printed(end);
      waiting = { id, end: answer };
      child.write(`${JSON.stringify({ ...request, id, end })}\n`);
      const { value, error } = await Promise.race([answer.promise, ended]);
      // Output of the code comes by another pipe.
      await Promise.race([output.whole, ended]);
      return { printed: output.text(), value: value ?? null, error: error ?? null };
    },
    kill: () => child.kill(),
  };
}

/** The output of one call, up to a line that only we know. */
class Printed {
  readonly #end: Buffer;
  readonly #whole = Promise.withResolvers<void>();
  #stored: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #bytes = 0;

  constructor(end: string) {
    this.#end = Buffer.from(`\n${end}\n`);
  }

  get whole(): Promise<void> {
    return this.#whole.promise;
  }

  readonly push = (chunk: Buffer): void => {
    this.#bytes += chunk.length;
    if (this.#stored.length < mostPrinted)
      this.#stored = Buffer.concat([this.#stored, chunk]).subarray(0, mostPrinted);
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-this.#end.length);
    if (this.#tail.equals(this.#end)) this.#whole.resolve();
  };

  text(): string {
    const printed = this.#bytes - this.#end.length;
    const text = this.#stored.subarray(0, Math.max(0, printed)).toString('utf8');
    return printed > mostPrinted ? `${text}\n[${printed - mostPrinted} more bytes were printed]` : text;
  }
}
