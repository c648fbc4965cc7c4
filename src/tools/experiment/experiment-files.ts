import { createHash } from 'node:crypto';
import { ToolError } from '../../contract/errors.ts';
import type { Experiment, ExperimentRun } from '../../contract/experiment.ts';
import type { ToolContext } from '../tool.ts';

/** Where an experiment keeps files of its own among those of the run. */
const folder = 'scratch/experiments';
const checkpointFile = `${folder}/checkpoint.patch`;

type Files = Pick<ToolContext, 'storage' | 'callId'>;
type Named = Pick<Experiment, 'id' | 'name'>;

/** Keeps how the checkpoint differs from where the run started, for a later part of the session. False where there is no room for it. */
export async function keepCheckpointPatch(context: Files, tool: string, patch: string): Promise<boolean> {
  // An empty file says that nothing differs; where none was kept so far, that is so anyway.
  if (patch === '' && (await checkpointPatch(context)) === '') return true;
  return write(context, tool, checkpointFile, () => patch);
}

/** What was kept; '' for nothing. */
export async function checkpointPatch({ storage }: Pick<Files, 'storage'>): Promise<string> {
  const { files } = await storage.open();
  if ((await files.stat(checkpointFile)) === null) return '';
  return (await files.read(checkpointFile)).bytes.toString('utf8');
}

/** Keeps the change of a run that was not kept, so that none is lost: the path, or null where there is no room for it. */
export async function keepDropped(
  context: Files,
  experiment: Named,
  number: number,
  patch: string,
): Promise<string | null> {
  const path = `${folder}/${fileName(experiment)}-run-${number}.patch`;
  return (await write(context, 'log_experiment', path, () => patch)) ? path : null;
}

/** Adds a run to the list of all, a line of JSON each. */
export async function addToHistory(context: Files, experiment: Named, run: ExperimentRun): Promise<void> {
  const path = `${folder}/${fileName(experiment)}.jsonl`;
  await write(context, 'log_experiment', path, (before) => `${before}${JSON.stringify(run)}\n`);
}

async function write(
  { storage, callId }: Files,
  tool: string,
  path: string,
  text: (before: string) => string,
): Promise<boolean> {
  try {
    await storage.change(path, { tool, callId }, (before) => text(before?.toString('utf8') ?? ''));
    return true;
  } catch (error) {
    // The run has no room left for files of its own; the experiment goes on without this one.
    if (error instanceof ToolError && error.kind === 'quota') return false;
    throw error;
  }
}

/** The name alone may be that of an experiment before it, whose files must stay. */
function fileName({ id, name }: Named): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 6);
  return `${plain.slice(0, 60) || 'experiment'}-${digest}`;
}
