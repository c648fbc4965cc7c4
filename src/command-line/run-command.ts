import { addAbortSignal } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { RunStopped } from '../contract/errors.ts';
import { type CommandContext, localRun, localRunOptions } from './local-run.ts';
import { parseArguments, usageError } from './parse-arguments.ts';

/** Runs `anode run`: a headless run on a local checkout without GitHub. Returns the exit code. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('run', args, {
    ...localRunOptions,
    prompt: { type: 'string' },
  });
  if (positionals.length > 0)
    throw usageError(
      'run',
      `"${positionals.join(' ')}" stands alone. The task goes behind --prompt, in quotes.`,
    );
  const prompt = values.prompt === '-' ? await fromStandardInput(context) : values.prompt;
  if (typeof prompt !== 'string' || prompt.trim() === '') throw usageError('run', '--prompt is missing.');
  return localRun({ command: 'run', task: prompt, args: values, resume: null }, context);
}

/** Reads the task from standard input. Ctrl-C cancels. */
async function fromStandardInput({ signal, writeError }: CommandContext): Promise<string> {
  if (process.stdin.isTTY) writeError('Type the task, and end it with Ctrl-D on a line of its own.\n');
  try {
    return await readAll(addAbortSignal(signal, process.stdin));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new RunStopped({ kind: 'cancelled', message: 'Nothing was started.' }, { cause: error });
  }
}
