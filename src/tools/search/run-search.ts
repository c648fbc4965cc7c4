import { spawn } from 'node:child_process';
import { ToolError } from '../../contract/errors.ts';

/** Nothing of our own environment reaches a program that reads a hostile tree, nor any repository's git settings. */
const cleanEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_DIR: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
};

/** No record is held in memory beyond this many bytes; what is longer is given cut. */
const longestRecord = 4 * 1024 * 1024;

/** What no search takes on a repository that a run could work on. */
const longestSearchMs = 60_000;

/**
 * What a search program may hold, in KiB (`ulimit -v`). ripgrep keeps each match of a line until the line is told: of
 * one line of 100 MB, in which every letter matches, it holds 8 GB.
 */
const mostMemory = 1024 * 1024;

/** Linux takes no longer argument (execve(2), MAX_ARG_STRLEN). */
const longestArgument = 128 * 1024 - 1;

/** The shell's exit code for a program that is not there. */
const noSuchProgram = 127;

/** How a search program ended. */
export interface SearchEnd {
  readonly stderr: string;
  readonly exitCode: number | null;
  /** True when it printed anything. */
  readonly printed: boolean;
  /** True when it had not come to its end after a minute, and was stopped. */
  readonly timedOut: boolean;
  /** True when it broke down, as it does when it needs more memory than it may have. */
  readonly broke: boolean;
}

export interface SearchCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** What it searches, held open: the folder it is started in, or the file it is given as standard input. */
  readonly searched: { readonly kind: 'file' | 'directory'; readonly fd: number };
  readonly signal: AbortSignal;
  /** Ends a record: a newline, or a NUL. */
  readonly separator: '\n' | '\0';
  /** Takes one record, without its end, as it comes; false stops the program. */
  readonly onRecord: (record: string) => boolean;
}

/**
 * Runs one of our own search programs, with fixed arguments and a clean environment, and hands on what it prints. It
 * is led to what it searches by descriptor, never by name, so that a link swapped in leads nowhere. Resolves to null
 * when the program does not exist, rejects with the signal's reason on abort and with `ToolError('invalid_input')`
 * for arguments that no program can be given.
 */
export function runSearch(command: SearchCommand): Promise<SearchEnd | null> {
  return new Promise((resolve, reject) => {
    command.signal.throwIfAborted();
    refuseArguments(command.arguments);
    const { kind, fd } = command.searched;
    // Where less is allowed already, the limit cannot be raised, and need not be.
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
    const settled = (): void => {
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
      settled();
      reject(error);
    });
    child.on('close', (exitCode, endedBy) => {
      settled();
      if (command.signal.aborted) return reject(command.signal.reason);
      if (exitCode === noSuchProgram) return resolve(null);
      records.end();
      resolve({ stderr, exitCode, printed, timedOut, broke: endedBy !== null && !stopped });
    });
  });
}

function refuseArguments(given: readonly string[]): void {
  if (given.some((one) => one.includes('\0')))
    throw new ToolError('invalid_input', 'A NUL character cannot be searched for. Leave it out.');
  if (given.some((one) => Buffer.byteLength(one) > longestArgument))
    throw new ToolError('invalid_input', 'The pattern is too long. Search for a part of it.');
}

/** Cuts a stream into records; `push` is false once nothing more is wanted. */
function recordSplitter(separator: number, onRecord: (record: string) => boolean) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let wanted = true;
  const hold = (piece: Buffer): void => {
    const kept = piece.subarray(0, longestRecord - bytes);
    // Even an empty part would keep the whole piece in memory.
    if (kept.length === 0) return;
    pieces.push(kept);
    bytes += kept.length;
  };
  const give = (): void => {
    const record = (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))?.toString('utf8') ?? '';
    pieces = [];
    bytes = 0;
    if (wanted) wanted = onRecord(record);
  };
  return {
    push(chunk: Buffer): boolean {
      let start = 0;
      for (let end = chunk.indexOf(separator); wanted && end !== -1; end = chunk.indexOf(separator, start)) {
        hold(chunk.subarray(start, end));
        give();
        start = end + 1;
      }
      if (wanted) hold(chunk.subarray(start));
      return wanted;
    },
    end(): void {
      if (wanted && bytes > 0) give();
    },
  };
}
