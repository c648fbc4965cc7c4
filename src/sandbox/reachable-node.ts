import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quotedWord } from './quoted-word.ts';
import type { SandboxIdentity } from './sandboxed-runner.ts';
import { isReachable } from './toolchain-folders.ts';

/** Gives a shell command that starts Node with these arguments in the place of the shell. */
export type NodeCommand = (args: readonly string[]) => string;

/**
 * Makes the command that starts Node in a sandbox of `user`, whose PATH is `path`. Where no Node is within reach of that
 * user, the command says so on standard error and ends with exit code 127.
 */
export function nodeCommand(path: string, user: SandboxIdentity): NodeCommand {
  const node = reachableNode(process.execPath, path, user);
  if (node !== null) return (args) => `exec ${[node, ...args].map(quotedWord).join(' ')}`;
  const words = `${process.execPath} lies in a folder that the owner of the checkout cannot enter, and no other node is on the PATH. Install Node where every user can read it.`;
  return () => `echo ${quotedWord(words)} >&2; exit 127`;
}

/**
 * Finds a Node that a user can start: `running` or, where its folder is closed to that user, the first on `path` (as
 * PATH). Null where there is none.
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
