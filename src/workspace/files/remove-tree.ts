import { rm } from 'node:fs/promises';
import { errorCode } from './open-confined.ts';
import { runProgram } from './run-program.ts';

/** Errors of closed folders, as package managers make them, and of paths too long for one call. */
const retried = ['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG'];

/**
 * Deletes a folder with hostile contents, if it exists; follows no link. Paths in it may be longer
 * than the system allows. No process may run in it.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!retried.includes(errorCode(error) ?? '')) throw error;
    // These programs descend step by step and never name more than one step.
    await runProgram('chmod', ['-R', 'u+rwX', '--', folder]);
    const { failed, errors } = await runProgram('rm', ['-rf', '--', folder]);
    if (failed) throw new Error(`The folder could not be deleted: ${errors}`);
  }
}
