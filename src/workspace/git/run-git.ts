import { spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { type GitRemote, gitEnvironment } from './git-environment.ts';

/** Location of one git command. Without `gitDirectory` git searches from `cwd` upwards. */
export interface GitLocation {
  readonly cwd: string;
  readonly gitDirectory?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
}

export interface GitRequest extends GitLocation {
  readonly remote?: GitRemote;
  readonly stdin?: string | Buffer;
  /** Exit codes accepted besides 0; any other throws. */
  readonly accept?: readonly number[];
  /** Ends git with SIGTERM; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds until git is killed and the promise rejects. Default: ten minutes, an hour with a
   * remote.
   */
  readonly deadlineMs?: number;
  /** Extra variables, such as the author of a commit. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Locked (flock) while git runs; made if missing. */
  readonly lockFile?: string;
  /**
   * Prints the name of the index's tree and a NUL before the output; the NUL alone if it cannot be
   * written. One process start less, which takes 5 ms. Not together with a lock.
   */
  readonly treeFirst?: boolean;
  /** Receives standard output in chunks instead of collecting it. */
  readonly onOutput?: (chunk: Buffer) => void;
}

interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Default deadlines. Only a fetch of a huge repository over a slow line comes close. */
const standardDeadlineMs = 600_000;
const remoteDeadlineMs = 3_600_000;

/**
 * Writable memory of git in KiB (`ulimit -d`, getrlimit(2), RLIMIT_DATA). Packs and the index are
 * mapped read-only and do not count. Operations on a repository of 1 GB need less than a fifth. A
 * lower existing limit applies.
 */
const mostMemory = 3 * 1024 * 1024;
const limit = `ulimit -d ${mostMemory} 2>/dev/null`;
const limited = `${limit}; exec "$0" "$@"`;
// A partial clone lacks objects; none of the tree's is missing.
const limitedAfterTree = `${limit}; "$0" write-tree --missing-ok 2>/dev/null; printf '\\0'; exec "$0" "$@"`;

/** Variables that point git at a location. */
export function locationVariables(location: GitLocation): Record<string, string> {
  const { gitDirectory, workTree, indexFile } = location;
  const variables: Record<string, string> = {};
  if (gitDirectory !== undefined) variables.GIT_DIR = gitDirectory;
  if (workTree !== undefined) variables.GIT_WORK_TREE = workTree;
  if (indexFile !== undefined) variables.GIT_INDEX_FILE = indexFile;
  return variables;
}

/**
 * Runs git once in the broker's environment, with a deadline and a memory limit. Throws `Error`
 * with the command and git's output for an exit code that is not accepted; on a full disk, the
 * system's `ENOSPC`.
 */
export async function runGit(args: readonly string[], request: GitRequest): Promise<GitResult> {
  const { lockFile, signal } = request;
  const deadlineMs = request.deadlineMs ?? (request.remote ? remoteDeadlineMs : standardDeadlineMs);
  const command =
    lockFile === undefined ? ['git', ...args] : ['flock', '--no-fork', lockFile, 'git', ...args];
  const script = request.treeFirst === true ? limitedAfterTree : limited;
  const child = spawn('/bin/sh', ['-c', script, ...command], {
    cwd: request.cwd,
    env: { ...gitEnvironment(request.remote), ...locationVariables(request), ...request.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  });
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
    // Child processes of git may keep its output open.
    child.stdout.destroy();
    child.stderr.destroy();
  }, deadlineMs);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', request.onOutput ?? ((chunk: Buffer) => stdout.push(chunk)));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // Git may exit before reading all input (EPIPE); its exit code is the result.
  child.stdin.on('error', () => {});
  child.stdin.end(request.stdin);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    child.on('close', resolve);
  }).finally(() => clearTimeout(deadline));
  if (late) throw new Error(`git ${args.join(' ')} was ended after ${deadlineMs} milliseconds`);
  const errors = Buffer.concat(stderr).toString('utf8');
  if (exitCode === null || (exitCode !== 0 && !request.accept?.includes(exitCode))) {
    const message = `git ${args.join(' ')} ended with ${exitCode ?? 'a signal'}: ${errors.trim()}`;
    throw (await fullDiskOfGit(request.gitDirectory ?? request.cwd, message)) ?? new Error(message);
  }
  return { exitCode, stdout: Buffer.concat(stdout), stderr: errors };
}

/** Returns the standard output of `runGit` as text. */
export async function gitText(args: readonly string[], request: GitRequest): Promise<string> {
  return (await runGit(args, request)).stdout.toString('utf8');
}

/** Returns the standard output of `runGit`, trimmed. */
export async function gitLine(args: readonly string[], request: GitRequest): Promise<string> {
  return (await gitText(args, request)).trim();
}

/**
 * Free bytes below which a disk counts as full. A program that failed on it has already deleted its
 * partial output.
 */
const leastFree = 1024 * 1024;

/**
 * Returns an `ENOSPC` error for a program that failed on a full disk; null if the disk has space.
 * `failure` says what failed.
 */
export async function fullDiskOfGit(folder: string, failure: string): Promise<NodeJS.ErrnoException | null> {
  const disk = await statfs(folder).catch(() => null);
  // File systems without a size (proc, some overlays) have no blocks.
  if (disk === null || disk.blocks === 0 || disk.bavail * disk.bsize >= leastFree) return null;
  const error = new Error(`the disk of ${folder} is full: ${failure}`);
  return Object.assign(error, { code: 'ENOSPC', syscall: 'write', path: folder });
}
