import { ToolError } from '../../contract/errors.ts';
import type { ExperimentHistory } from '../../contract/experiment.ts';
import { recordChanges } from '../shell/record-changes.ts';
import type { ToolContext } from '../tool.ts';
import { checkpointPatch, keepDropped } from './experiment-files.ts';

/** What was put back. */
export interface PutBack {
  readonly paths: readonly string[];
  /** Paths that could not be put back. */
  readonly left: readonly string[];
  /** Where the change is kept among the run's own files; null where there was none, or no room for it. */
  readonly kept: string | null;
}

/**
 * Puts the work tree back to the checkpoint of an experiment. The change is kept before, as a patch and in the change ledger, so that
 * nothing is lost. Throws `ToolError` where the checkpoint cannot be found again, or children work on the same files.
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
  // The patch of another part of the session lay where the model writes: what comes of it is judged like any change.
  await recordChanges(context, 'log_experiment');
  return { paths: changed.paths.filter((path) => !left.includes(path)), left, kept };
}

/** What a child has changed would be put back as well. */
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
