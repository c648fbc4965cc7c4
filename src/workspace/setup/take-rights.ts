import { runProgram } from '../files/run-program.ts';

/**
 * Removes set-user-ID and set-group-ID bits. They have no effect in a sandbox, but the result stays
 * on the machine and its owner may be root. Rejects if a folder cannot be searched.
 */
export async function takeRights(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return;
  const which = ['!', '-type', 'l', '-perm', '/6000', '-exec', 'chmod', 'ug-s', '{}', '+'];
  const { failed } = await runProgram('find', [...folders, ...which]);
  if (failed) throw new Error('What the set-up made cannot be looked through.');
}
