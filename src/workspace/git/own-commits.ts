import { brokerGit } from './broker-git.ts';
import type { OwnGit } from './own-git.ts';

/** How the line of a commit begins that a run made. */
const trailer = /^Anode-Run: /m;

/**
 * Whether one of the commits that `head` has and `base` has not was made by a run: what a model wrote, perhaps on the word of a
 * stranger, and nobody has merged yet. Both commits must be here, with the history between them.
 */
export async function hasOwnCommits(place: OwnGit, base: string, head: string): Promise<boolean> {
  return trailer.test(await brokerGit(place).raw(['log', '--format=%B', `${base}..${head}`, '--']));
}
