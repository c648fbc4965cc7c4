import { brokerGit } from './broker-git.ts';
import type { OwnGit } from './own-git.ts';

/** Start of the trailer in commits of runs. */
const trailer = /^Anode-Run: /m;

/**
 * True if `head` has an unmerged commit of a run over `base`: a model wrote it, perhaps for a
 * stranger. Both commits must be present with the history between them.
 */
export async function hasOwnCommits(place: OwnGit, base: string, head: string): Promise<boolean> {
  return trailer.test(await brokerGit(place).raw(['log', '--format=%B', `${base}..${head}`, '--']));
}
