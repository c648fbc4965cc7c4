import { runProgram } from '../files/run-program.ts';

/**
 * Takes the bits away from files by which a program runs as its owner: in a sandbox they are without effect, but what is kept lies on
 * the machine for as long as it is used, and its owner may be root. Rejects where a folder cannot be looked through.
 */
export async function takeRights(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return;
  const which = ['!', '-type', 'l', '-perm', '/6000', '-exec', 'chmod', 'ug-s', '{}', '+'];
  const { failed } = await runProgram('find', [...folders, ...which]);
  if (failed) throw new Error('What the set-up made cannot be looked through.');
}
