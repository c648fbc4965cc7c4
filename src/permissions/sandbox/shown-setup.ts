import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ShownSetup } from './sandbox-layout.ts';
import { homeInside } from './setup-layout.ts';
import { isInside } from './toolchain-folders.ts';

/** What a set-up made: where each folder lies, and its place from the workspace's root, or with `~/` from the home of commands. */
export interface SetupOutput {
  readonly builtAt: string;
  readonly folders: readonly { readonly folder: string; readonly place: string }[];
}

/**
 * What of a set-up the next sandbox shows. A command before it may have put a file or a link on the way to a place: bubblewrap,
 * which makes the place where it is missing, would follow it. `shown` are other folders of the sandbox.
 */
export function shownSetup(output: SetupOutput, root: string, shown: readonly string[]): ShownSetup {
  const folders = output.folders
    .filter(({ place }) => place.startsWith('~/') || isPlain(root, place))
    .map(({ folder, place }) => ({
      folder,
      place: place.startsWith('~/') ? join(homeInside, place.slice(2)) : resolve(root, place),
    }));
  const { builtAt } = output;
  const meets = (other: string) => builtAt === other || isInside(builtAt, other) || isInside(other, builtAt);
  return { folders, builtAt: [root, ...shown].some(meets) ? null : builtAt };
}

/** Whether nothing but folders stands on the way to a place, and there. */
function isPlain(root: string, place: string): boolean {
  let at = root;
  for (const part of place.split('/')) {
    at = join(at, part);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (!found.isDirectory()) return false;
  }
  return true;
}
