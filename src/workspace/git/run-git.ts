import { spawn } from 'node:child_process';
import { fullDiskError } from '../files/full-disk-error.ts';
import { type GitRemote, gitEnvironment } from './git-environment.ts';

/** Where one git command runs. Without `gitDirectory` git looks for it itself, from `cwd` upwards. */
export interface GitPlace {
  readonly cwd: string;
  readonly gitDirectory?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
}

export interface GitRequest extends GitPlace {
  readonly remote?: GitRemote;
  readonly stdin?: string | Buffer;
  /** Exit codes besides 0 that the caller understands; any other is thrown. */
  readonly accept?: readonly number[];
  /** Ends git with SIGTERM; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** In milliseconds; git is killed when it takes longer, and the promise rejects. Left out, ten minutes, and an hour with a remote. */
  readonly deadlineMs?: number;
  /** More variables: the author of a commit. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Held (flock) while git runs, by whichever process asked first; made where it is missing. */
  readonly lockFile?: string;
  /** Takes standard output piece by piece in place of collecting it. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** No command of ours takes as long; a fetch of a very large repository over a slow line may. */
const standardDeadlineMs = 600_000;
const remoteDeadlineMs = 3_600_000;

/**
 * The memory that git may write to, in KiB (`ulimit -d`, getrlimit(2), RLIMIT_DATA); packs and the index are mapped for reading and do not count.
 * A checkout, a diff and a fetch of a repository of 1 GB need below a fifth of it. Where less is allowed already, that holds.
 */
const mostMemory = 3 * 1024 * 1024;
const limited = `ulimit -d ${mostMemory} 2>/dev/null; exec "$0" "$@"`;

/** The variables that point git at a place. */
export function placeVariables(place: GitPlace): Record<string, string> {
  return {
    ...(place.gitDirectory === undefined ? {} : { GIT_DIR: place.gitDirectory }),
    ...(place.workTree === undefined ? {} : { GIT_WORK_TREE: place.workTree }),
    ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
  };
}

/**
 * Runs git once in the broker's environment, with a deadline and a bound on its memory. Throws an `Error` with the command and git's
 * own words when it exits with a code that is neither 0 nor accepted; on a full disk it is the system's (`ENOSPC`).
 */
export async function runGit(args: readonly string[], request: GitRequest): Promise<GitResult> {
  const { lockFile, signal } = request;
  const deadlineMs = request.deadlineMs ?? (request.remote ? remoteDeadlineMs : standardDeadlineMs);
  const command =
    lockFile === undefined ? ['git', ...args] : ['flock', '--no-fork', lockFile, 'git', ...args];
  const child = spawn('/bin/sh', ['-c', limited, ...command], {
    cwd: request.cwd,
    env: { ...gitEnvironment(request.remote), ...placeVariables(request), ...request.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
    // What git started may hold its output open.
    child.stdout.destroy();
    child.stderr.destroy();
  }, deadlineMs);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', request.onOutput ?? ((chunk: Buffer) => stdout.push(chunk)));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // Git may end before it has read all of its input (EPIPE); its exit code tells what happened.
  child.stdin.on('error', () => {});
  child.stdin.end(request.stdin);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
    child.on('close', resolve);
  }).finally(() => clearTimeout(deadline));
  if (late) throw new Error(`git ${args.join(' ')} was ended after ${deadlineMs} milliseconds`);
  const words = Buffer.concat(stderr).toString('utf8');
  if (exitCode === null || (exitCode !== 0 && !request.accept?.includes(exitCode))) {
    const message = `git ${args.join(' ')} ended with ${exitCode ?? 'a signal'}: ${words.trim()}`;
    throw (await fullDiskError(request.gitDirectory ?? request.cwd, message)) ?? new Error(message);
  }
  return { exitCode, stdout: Buffer.concat(stdout), stderr: words };
}

/** As `runGit`, for its text. */
export async function gitText(args: readonly string[], request: GitRequest): Promise<string> {
  return (await runGit(args, request)).stdout.toString('utf8');
}

/** As `runGit`, for one line of text. */
export async function gitLine(args: readonly string[], request: GitRequest): Promise<string> {
  return (await gitText(args, request)).trim();
}
