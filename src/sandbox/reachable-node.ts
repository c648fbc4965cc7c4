import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxIdentity } from './prepare-sandboxes.ts';
import { quotedWord } from './quoted-word.ts';
import { isReachable } from './toolchain-folders.ts';

/** Returns a shell command that replaces the shell by Node with these arguments. */
export type NodeCommand = (args: readonly string[]) => string;

/**
 * Makes the command that starts Node in a sandbox of `user` with PATH `path`. If that user can
 * reach no Node, the command reports it on standard error and exits with 127.
 */
export function nodeCommand(path: string, user: SandboxIdentity): NodeCommand {
  const node = reachableNode(process.execPath, path, user);
  if (node !== null) return (args) => `exec ${[node, ...args].map(quotedWord).join(' ')}`;
  const problem = `${process.execPath} lies in a folder that the owner of the checkout cannot enter, and no other node is on the PATH. Install Node where every user can read it.`;
  return () => `echo ${quotedWord(problem)} >&2; exit 127`;
}

/**
 * Returns a Node that a user can start: `running`, or the first on `path` if its folder is closed
 * to that user. Null if there is none.
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
