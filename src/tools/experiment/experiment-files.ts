import { createHash } from 'node:crypto';
import { ToolError } from '../../contract/errors.ts';
import type { Experiment, ExperimentRun } from '../../contract/experiment.ts';
import type { ToolContext } from '../tool.ts';

/** Folder of an experiment's own files among those of the run. */
const folder = 'scratch/experiments';
const checkpointFile = `${folder}/checkpoint.patch`;

type Files = Pick<ToolContext, 'storage' | 'callId'>;
type Named = Pick<Experiment, 'id' | 'name'>;

/**
 * Saves the checkpoint's difference from the start of the run, for a later part of the session.
 * False if the storage quota is exceeded.
 */
export async function keepCheckpointPatch(context: Files, tool: string, patch: string): Promise<boolean> {
  // An empty file means no difference, which is also the default.
  if (patch === '' && (await checkpointPatch(context)) === '') return true;
  return write(context, tool, checkpointFile, () => patch);
}

/** Returns the saved patch. Empty if there is none. */
export async function checkpointPatch({ storage }: Pick<Files, 'storage'>): Promise<string> {
  const { files } = await storage.open();
  if ((await files.stat(checkpointFile)) === null) return '';
  return (await files.read(checkpointFile)).bytes.toString('utf8');
}

/**
 * Saves the change of a rejected run, so that none is lost. Returns the path, or null if the quota
 * is exceeded.
 */
export async function keepDropped(
  context: Files,
  experiment: Named,
  number: number,
  patch: string,
): Promise<string | null> {
  const path = `${folder}/${fileName(experiment)}-run-${number}.patch`;
  return (await write(context, 'log_experiment', path, () => patch)) ? path : null;
}

/** Appends a run to the history, one line of JSON each. */
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
    // The run's storage quota is used up; the experiment continues without this file.
    if (error instanceof ToolError && error.kind === 'quota') return false;
    throw error;
  }
}

/** Builds a file name. The id is part of it, as an earlier experiment may have the same name. */
function fileName({ id, name }: Named): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 6);
  return `${plain.slice(0, 60) || 'experiment'}-${digest}`;
}
