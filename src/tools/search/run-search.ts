import { spawn } from 'node:child_process';
import { invalidInput } from '../../contract/errors.ts';

/** Environment of search programs, without ours and without any git settings of a repository. */
const cleanEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_DIR: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
};

/** Maximum bytes of a record; a longer one is cut. */
const longestRecord = 4 * 1024 * 1024;

/** Time limit of a search, in milliseconds. */
const longestSearchMs = 60_000;

/**
 * Memory limit of a search program, in KiB (`ulimit -v`). ripgrep stores all matches of a line: 8
 * GB for 100 MB in which every letter matches.
 */
const mostMemory = 1024 * 1024;

/** Maximum length of an argument on Linux (execve(2), MAX_ARG_STRLEN). */
const longestArgument = 128 * 1024 - 1;

/** The shell's exit code for a missing program. */
const noSuchProgram = 127;

/** The end of a search program. */
export interface SearchEnd {
  readonly stderr: string;
  readonly exitCode: number | null;
  /** True if it printed anything. */
  readonly printed: boolean;
  /** True if it was stopped after a minute. */
  readonly timedOut: boolean;
  /** True if it crashed, as it does for lack of memory. */
  readonly broke: boolean;
}

interface SearchCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** An open descriptor: the folder to start in, or the file given as standard input. */
  readonly searched: { readonly kind: 'file' | 'directory'; readonly fd: number };
  readonly signal: AbortSignal;
  /** The separator of records: a newline, or a NUL. */
  readonly separator: '\n' | '\0';
  /** Takes one record without its separator; false stops the program. */
  readonly onRecord: (record: string) => boolean;
}

/**
 * Runs one of our search programs with fixed arguments and a clean environment, and passes on its
 * output. It gets its target by descriptor, so that a link swapped in leads nowhere. Resolves to
 * null if the program does not exist. Rejects with the signal's reason on abort, and with
 * `ToolError('invalid_input')` for impossible arguments.
 */
export function runSearch(command: SearchCommand): Promise<SearchEnd | null> {
  return new Promise((resolve, reject) => {
    command.signal.throwIfAborted();
    refuseArguments(command.arguments);
    const { kind, fd } = command.searched;
    // A lower existing limit cannot be raised, and need not be.
    const limited = `ulimit -v ${mostMemory} 2>/dev/null; exec "$0" "$@"`;
    const child = spawn('/bin/sh', ['-c', limited, command.program, ...command.arguments], {
      cwd: kind === 'directory' ? `/proc/${process.pid}/fd/${fd}` : '/',
      env: cleanEnvironment,
      stdio: [kind === 'file' ? fd : 'ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    let printed = false;
    let timedOut = false;
    let stopped = false;
    const stop = (): void => {
      stopped = true;
      child.kill('SIGKILL');
    };
    const deadline = setTimeout(() => {
      timedOut = true;
      stop();
    }, longestSearchMs);
    const cleanUp = (): void => {
      clearTimeout(deadline);
      command.signal.removeEventListener('abort', stop);
    };
    const records = recordSplitter(command.separator.charCodeAt(0), command.onRecord);
    command.signal.addEventListener('abort', stop, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      printed = true;
      if (!records.push(chunk)) stop();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 4000) stderr += text;
    });
    child.on('error', (error) => {
      cleanUp();
      reject(error);
    });
    child.on('close', (exitCode, endedBy) => {
      cleanUp();
      if (command.signal.aborted) return reject(command.signal.reason);
      if (exitCode === noSuchProgram) return resolve(null);
      records.end();
      resolve({ stderr, exitCode, printed, timedOut, broke: endedBy !== null && !stopped });
    });
  });
}

function refuseArguments(args: readonly string[]): void {
  if (args.some((one) => one.includes('\0')))
    throw invalidInput('A NUL character cannot be searched for. Leave it out.');
  if (args.some((one) => Buffer.byteLength(one) > longestArgument))
    throw invalidInput('The pattern is too long. Search for a part of it.');
}

/** Splits a stream into records; `push` returns false once nothing more is wanted. */
function recordSplitter(separator: number, onRecord: (record: string) => boolean) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let wanted = true;
  const addPiece = (piece: Buffer): void => {
    const part = piece.subarray(0, longestRecord - bytes);
    // Even an empty part would keep the whole chunk in memory.
    if (part.length === 0) return;
    pieces.push(part);
    bytes += part.length;
  };
  const finishRecord = (): void => {
    const record = (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))?.toString('utf8') ?? '';
    pieces = [];
    bytes = 0;
    if (wanted) wanted = onRecord(record);
  };
  return {
    push(chunk: Buffer): boolean {
      let start = 0;
      for (let end = chunk.indexOf(separator); wanted && end !== -1; end = chunk.indexOf(separator, start)) {
        addPiece(chunk.subarray(start, end));
        finishRecord();
        start = end + 1;
      }
      if (wanted) addPiece(chunk.subarray(start));
      return wanted;
    },
    end(): void {
      if (wanted && bytes > 0) finishRecord();
    },
  };
}

/**
 * Returns the path of ripgrep: the packaged binary, or the system's `rg`. Resolved on first use,
 * because the package throws on import without a binary for the platform.
 */
export async function ripgrepPath(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch {
    return 'rg';
  }
}

/**
 * Arguments of every search: no configuration of machine or user, never git's own folder or ours,
 * and `.gitignore` with or without a repository. `.ignore` and `.rgignore` do not count, as a
 * change could hide its files from a reviewer by them. Links are never followed.
 */
export const ripgrepBase = [
  '--no-config',
  '--no-follow',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-dot',
  '--glob=!.git',
  '--glob=!.anode-harness',
] as const;
