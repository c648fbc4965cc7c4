import path from 'node:path';
import type { Change } from '../contract/change.ts';
import { ToolError } from '../contract/errors.ts';
import { isBelow, type Restored, restoreRun } from '../workspace/changes/restore-run.ts';
import type { ConfinedFiles } from '../workspace/files/confined-files.ts';
import { createConfinedFiles } from '../workspace/files/create-confined-files.ts';
import { findCheckout } from './find-checkout.ts';
import type { CommandContext } from './local-run.ts';
import { logLine } from './log-line.ts';
import { parseArguments, usageError } from './parse-arguments.ts';
import { changesOf, namedRun } from './run-record.ts';

const options = {
  cwd: { type: 'string' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
} as const;

/** Runs `anode restore RUN [PATH]`: reverts the changes of a run. Returns the exit code. */
export async function restoreCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArguments('restore', args, options);
  const [runId, asked = '', ...others] = positionals;
  const { root, start } = await findCheckout('restore', values.cwd);
  if (others.length > 0) throw usageError('restore', 'it takes a run and at most one path.');
  const run = await namedRun('restore', runId, root);
  const files = createConfinedFiles({ root, readOnlyRoots: [] });
  const dryRun = values['dry-run'] === true;
  const changes = changesOf(run);
  const restored = await restoreRun({
    folder: run.folder,
    ...{ changes, root, files },
    requestedPath: pathMeant(asked, start, files, changes),
    force: values.force === true,
    dryRun,
  });
  if (restored.length === 0 && asked !== '')
    throw usageError(
      'restore',
      `the run changed nothing at ${logLine(asked)}: see anode changes ${run.runId}.`,
    );
  context.write(describe(restored, dryRun));
  return restored.some(({ action }) => action === 'left') ? 1 : 0;
}

/**
 * Resolves a typed path: from the current folder, else from the root, as in the run's own list.
 * Throws a usage error for a path that leads out.
 */
function pathMeant(
  asked: string,
  start: string,
  files: Pick<ConfinedFiles, 'relative'>,
  changes: readonly Change[],
): string {
  if (asked === '') return '';
  try {
    const fromFolder = files.relative(path.isAbsolute(asked) ? asked : path.join(start, asked));
    const isMeant = changes.some(({ path: changed }) => isBelow(changed, fromFolder));
    return isMeant ? fromFolder : files.relative(asked);
  } catch (error) {
    if (error instanceof ToolError) throw usageError('restore', error.message);
    throw error;
  }
}

function describe(restored: readonly Restored[], dryRun: boolean): string {
  if (restored.length === 0) return 'There is nothing to put back.\n';
  const verb = (action: Restored['action']) => (dryRun ? (planned[action] ?? action) : action);
  return restored
    .map(
      ({ path, action, reason }) => `${path}: ${verb(action)}${reason === undefined ? '' : `, ${reason}`}\n`,
    )
    .join('');
}

const planned: Readonly<Partial<Record<Restored['action'], string>>> = {
  'written back': 'would be written back',
  removed: 'would be removed',
};
