import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
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
  const folder = path.join(root, '.anode-harness', runId);
  const session = await readSession(folder, runId);
  const code = await localRun('resume', answer, values, context, { session, answer });
  // An answered question is not answered again: the session goes on from the newer run.
  await rename(path.join(folder, 'session.json'), path.join(folder, answeredFile));
  return code;
}

/** What a session is called once its question was answered. */
const answeredFile = 'session.answered.json';

async function readSession(folder: string, runId: string): Promise<SavedSession> {
  const file = path.join(folder, 'session.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const why = existsSync(path.join(folder, answeredFile))
      ? `The question of ${runId} was answered already; a newer run went on from it.`
      : `There is no waiting run ${runId} here (${file} cannot be read). Give --cwd the checkout it ran on.`;
    throw new ConfigError(why, { file }, { cause });
  }
  try {
    return SavedSession.parse(JSON.parse(text));
  } catch (cause) {
    throw new ConfigError(`${file} is not a saved session.`, { file }, { cause });
  }
}
