import { ToolError } from '../../contract/errors.ts';
import type { ExperimentHistory } from '../../contract/experiment.ts';
import { recordChanges } from '../shell/record-changes.ts';
import type { ToolContext } from '../tool.ts';
import { checkpointPatch, keepDropped } from './experiment-files.ts';

/** The result of a revert. */
export interface PutBack {
  readonly paths: readonly string[];
  /** Paths that could not be reverted. */
  readonly left: readonly string[];
  /**
   * Path of the saved change among the run's own files. Null if there was none or the quota is
   * exceeded.
   */
  readonly kept: string | null;
}

/**
 * Reverts the work tree to the checkpoint of an experiment. The change is saved first, as a patch
 * and in the change ledger. Throws `ToolError` if the checkpoint cannot be restored or children
 * work on the same files.
 */
export async function putExperimentBack(
  { experiment }: ExperimentHistory,
  number: number,
  context: ToolContext,
): Promise<PutBack> {
  const { workspace } = context;
  await refuseBesideChildren(context);
  await recordChanges(context, 'log_experiment');
  const { checkpoints } = workspace;
  const patch = experiment.checkpoint_kept ? await checkpointPatch(context) : null;
  const tree = await checkpoints.find({ tree: experiment.checkpoint, patch });
  if (tree === null)
    throw new ToolError(
      'unavailable',
      'The files cannot be put back: the run went on from elsewhere, where the state of before does not fit. Take your change back by the edit tools, then log again with revert: false.',
    );
  const changed = await checkpoints.changesSince(tree);
  if (changed.paths.length === 0) return { paths: [], left: [], kept: null };
  const kept = await keepDropped(context, experiment, number, changed.patch);
  const left = await checkpoints.restore(tree);
  // The model could write the patch of an earlier session, so its changes are evaluated like any
  // others.
  await recordChanges(context, 'log_experiment');
  return { paths: changed.paths.filter((path) => !left.includes(path)), left, kept };
}

/** Refuses a revert while children run, as it would revert their changes too. */
async function refuseBesideChildren({ children }: ToolContext): Promise<void> {
  const busy = ((await children?.list()) ?? []).filter(
    ({ state }) => state === 'running' || state === 'queued',
  );
  if (busy.length === 0) return;
  throw new ToolError(
    'unavailable',
    `The files cannot be put back while children work on them: ${busy.map(({ id, title }) => `${id} (${title})`).join(', ')}. Wait for them with wait_agent, or end them with close_agent, then log again.`,
  );
}
