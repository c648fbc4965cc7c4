import type { Programs, ProgramsRun } from './open-programs.ts';

/**
 * Opens hooks and the programs of `delegate` rules; null without any. Call it before the first call
 * of a tool: the programs are copied from the trusted commit at once.
 */
export async function composePrograms(run: ProgramsRun): Promise<Programs | null> {
  const { hooks, permissions } = run.config;
  const named =
    (hooks?.before ?? []).length > 0 ||
    (hooks?.after ?? []).length > 0 ||
    permissions?.rules?.some(({ action }) => action === 'delegate') === true;
  return named ? (await import('./open-programs.ts')).openPrograms(run) : null;
}
