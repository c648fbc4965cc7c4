import { rm } from 'node:fs/promises';
import { errorCode } from './open-confined.ts';
import { runProgram } from './run-program.ts';

/** Folders that nobody may enter, as package managers make them, and paths longer than the kernel takes in one piece. */
const inTheWay = ['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG'];

/**
 * Deletes a folder with whatever strangers left in it, if it is there; no link is followed. A commit may have a path that is too
 * long once the checkout's own stands before it, and a program may go down as deep as it likes. Nothing may run in it any more.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!inTheWay.includes(errorCode(error) ?? '')) throw error;
    // These go down step by step, and never name more than one step.
    await runProgram('chmod', ['-R', 'u+rwX', '--', folder]);
    const { failed, words } = await runProgram('rm', ['-rf', '--', folder]);
    if (failed) throw new Error(`A folder could not be deleted: ${words}`);
  }
}
