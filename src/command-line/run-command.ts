import { text as readAll } from 'node:stream/consumers';
import { type CommandContext, localRun, localRunOptions } from './local-run.ts';
import { parseArguments, usageError } from './parse-arguments.ts';

/** `anode run`: a headless run on a local checkout with no GitHub at all. Returns the exit code. */
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
  const prompt = values.prompt === '-' ? await readAll(process.stdin) : values.prompt;
  if (typeof prompt !== 'string' || prompt.trim() === '') throw usageError('run', '--prompt is missing.');
  return localRun('run', prompt, values, context, null);
}
