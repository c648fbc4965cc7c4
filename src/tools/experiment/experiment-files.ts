import { createHash } from 'node:crypto';
import { ToolError } from '../../contract/errors.ts';
import type { Experiment, ExperimentHistory, ExperimentRun } from '../../contract/experiment.ts';
import { recordChanges } from '../shell/record-changes.ts';
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
export async function saveCheckpointPatch(context: Files, tool: string, patch: string): Promise<boolean> {
  // An empty file means no difference, which is also the default.
  if (patch === '' && (await checkpointPatch(context)) === '') return true;
  return write(context, tool, checkpointFile, () => patch);
}

/** Returns the saved patch. Empty if there is none. */
async function checkpointPatch({ storage }: Pick<Files, 'storage'>): Promise<string> {
  const { files } = await storage.open();
  if ((await files.stat(checkpointFile)) === null) return '';
  return (await files.read(checkpointFile)).bytes.toString('utf8');
}

/**
 * Saves the change of a rejected run, so that none is lost. Returns the path, or null if the quota
 * is exceeded.
 */
async function saveRejectedPatch(
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

/** The result of a revert. */
interface RevertedExperiment {
  readonly paths: readonly string[];
  /** Paths that could not be reverted. */
  readonly left: readonly string[];
  /**
   * Path of the saved change among the run's own files. Null if there was none or the quota is
   * exceeded.
   */
  readonly patchPath: string | null;
}

/**
 * Reverts the work tree to the checkpoint of an experiment. The change is saved first, as a patch
 * and in the change ledger. Throws `ToolError` if the checkpoint cannot be restored or children
 * work on the same files.
 */
export async function revertExperiment(
  { experiment }: ExperimentHistory,
  number: number,
  context: ToolContext,
): Promise<RevertedExperiment> {
  const { workspace } = context;
  await refuseBesideChildren(context);
  await recordChanges(context, 'log_experiment');
  const { checkpoints } = workspace;
  const patch = experiment.checkpoint_kept ? await checkpointPatch(context) : null;
  const tree = await checkpoints.find({ tree: experiment.checkpoint, patch });
  if (tree === null)
    throw new ToolError(
      'unavailable',
      'The files cannot be reverted: the run continued elsewhere, and the earlier state does not fit there. Undo your change with the edit tools, then log again with revert: false.',
    );
  const changed = await checkpoints.changesSince(tree);
  if (changed.paths.length === 0) return { paths: [], left: [], patchPath: null };
  const patchPath = await saveRejectedPatch(context, experiment, number, changed.patch);
  const left = await checkpoints.restore(tree);
  // The model could write the patch of an earlier session, so its changes are evaluated like any
  // others.
  await recordChanges(context, 'log_experiment');
  return { paths: changed.paths.filter((path) => !left.includes(path)), left, patchPath };
}

/** Refuses a revert while children run, as it would revert their changes too. */
async function refuseBesideChildren({ children }: ToolContext): Promise<void> {
  const busy = ((await children?.list()) ?? []).filter(
    ({ state }) => state === 'running' || state === 'queued',
  );
  if (busy.length === 0) return;
  throw new ToolError(
    'unavailable',
    `The files cannot be reverted while children work on them: ${busy.map(({ id, title }) => `${id} (${title})`).join(', ')}. Wait for them with wait_agent, or end them with close_agent, then log again.`,
  );
}
