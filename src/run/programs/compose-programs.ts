import type { Programs, ProgramsRun } from './open-programs.ts';

/**
 * Hooks and the programs of `delegate` rules; null where the configuration names none. To be called before the first
 * call of a tool: they are taken out of the trusted commit at once.
 */
export async function composePrograms(run: ProgramsRun): Promise<Programs | null> {
  const { hooks, permissions } = run.config;
  const named =
    (hooks?.before ?? []).length > 0 ||
    (hooks?.after ?? []).length > 0 ||
    permissions?.rules?.some(({ action }) => action === 'delegate') === true;
  return named ? (await import('./open-programs.ts')).openPrograms(run) : null;
}
