import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isReachable } from './toolchain-folders.ts';

/**
 * Finds a Node that a user can start: `running` or, where its folder is closed to that user, the first on `path` (as
 * PATH). Null where there is none.
 */
export function reachableNode(
  running: string,
  path: string,
  user: { readonly uid?: number; readonly gid?: number },
): string | null {
  const programs = [running, ...path.split(':').map((folder) => join(folder, 'node'))];
  const isOpen = (program: string) =>
    [program, realpathSync(program)].every((one) => isReachable(dirname(one), user));
  return (
    programs.find((program) => program.startsWith('/') && existsSync(program) && isOpen(program)) ?? null
  );
}
