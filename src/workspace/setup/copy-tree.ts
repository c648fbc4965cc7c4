import { spawn } from 'node:child_process';

/** What the copy leaves out: git's own folders at any depth, which may hold credentials, and ours. */
const leftOut = ['--exclude=.git', '--anchored', '--exclude=./.anode-harness'];

const script = 'set -o pipefail; from=$1 to=$2; shift 2; tar -C "$from" "$@" -cf - . | tar -C "$to" -xpf -';

/**
 * Copies a work tree into an existing folder, without git. Owners, modes and links stay as they are, no link is followed.
 * Rejects with tar's own words.
 */
export async function copyTree(from: string, to: string, signal: AbortSignal): Promise<void> {
  const child = spawn('bash', ['-c', script, 'copy', from, to, ...leftOut], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000);
  });
  const code = await new Promise<number | null>((settle, fail) => {
    child.on('error', fail);
    child.on('close', settle);
  });
  if (code !== 0) throw new Error(`The checkout could not be copied for the set-up: ${words.trim()}`);
}
