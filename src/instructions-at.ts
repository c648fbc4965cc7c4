import { type InstructionFile, instructionFileNames } from './agent/context-pack.ts';
import type { Checkout } from './workspace/checkout.ts';
import { readFileAt } from './workspace/read-file-at.ts';

/** The instruction files of a commit, as a run is given them: the first there is. */
export async function instructionsAt(checkout: Checkout, sha: string): Promise<InstructionFile[]> {
  for (const name of instructionFileNames) {
    const text = await readFileAt(checkout.git, sha, name);
    if (text !== null) return [{ path: name, text }];
  }
  return [];
}
