import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '../contract/errors.ts';
import { SavedSession } from '../contract/session.ts';
import { type CommandContext, checkoutRoot, localRun, localRunOptions } from './local-run.ts';
import { parseArguments, usageError } from './parse-arguments.ts';

/** `anode resume RUN ANSWER`: goes on with a run that ended as waiting. Returns the exit code. */
export async function resumeCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('resume', args, localRunOptions);
  const [runId, ...words] = positionals;
  const answer = words.join(' ').trim();
  if (runId === undefined || answer === '') throw usageError('resume', 'it takes a run and an answer.');
  if (!/^[\w-]+$/.test(runId)) throw usageError('resume', `"${runId}" is not the id of a run.`);
  const root = await checkoutRoot('resume', values.cwd);
  const session = await readSession(path.join(root, '.anode-harness', runId, 'session.json'), runId);
  return localRun('resume', answer, values, context, { session, answer });
}

async function readSession(file: string, runId: string): Promise<SavedSession> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(
      `There is no waiting run ${runId} here (${file} cannot be read). Give --cwd the checkout it ran on.`,
      { file },
      { cause },
    );
  }
  try {
    return SavedSession.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError(`${file} is not a saved session.`, { file }, { cause });
  }
}
