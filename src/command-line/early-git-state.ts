import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type GitState, gitState } from '../workspace/git-state.ts';

/**
 * Asks git about a checkout before anything heavy is loaded: it answers on another core while our modules compile.
 * A folder that is not there is left for the command to complain of.
 */
export function earlyGitState(cwd: string): Promise<GitState | null> {
  const asked = ask(path.resolve(cwd));
  // Whoever awaits it later hears of a failure; until then it must not count as unhandled.
  asked.catch(() => undefined);
  return asked;
}

async function ask(cwd: string): Promise<GitState | null> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'anode-git-'));
  try {
    return await gitState(await realpath(cwd), path.join(folder, 'state.git'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
