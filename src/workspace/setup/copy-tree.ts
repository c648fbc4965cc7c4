import { runProgram } from '../files/run-program.ts';

/** Excluded from the copy: git's own folders, which may hold credentials, and ours. */
const leftOut = ['--exclude=.git', '--exclude=./.anode-harness'];

/** Bash reads its user's start-up files if its input is a socket, as under Node. */
const noStart = ['--norc'];

const script = 'set -o pipefail; from=$1 to=$2; shift 2; tar -C "$from" "$@" -cf - . | tar -C "$to" -xpf -';

/**
 * Copies a work tree into an existing folder, without git. Owners, modes and links stay; no link is
 * followed. Rejects with tar's error output.
 */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  const { failed, words } = await runProgram(
    'bash',
    [...noStart, '-c', script, 'copy', from, to, ...leftOut],
    signal,
  );
  if (failed) throw new Error(`The checkout could not be copied for the set-up: ${words}`);
}
