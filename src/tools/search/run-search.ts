import { spawn } from 'node:child_process';

const maximumOutput = 256 * 1024;

/** Nothing of our own environment reaches a program that reads a hostile tree. */
const cleanEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
};

/** What a search program printed. */
export interface SearchOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  /** True when output beyond the ceiling was dropped; `stdout` ends with a whole record then. */
  readonly truncated: boolean;
}

export interface SearchCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Ends a record: a newline, or a NUL. */
  readonly separator: '\n' | '\0';
  /** Bytes of output to take; 256 KiB unless told. */
  readonly maxBytes?: number;
}

/**
 * Runs one of our own search programs, with fixed arguments and a clean environment, and keeps what fits
 * of its output; the program is stopped there. Resolves to null when the program does not exist, rejects
 * with the signal's reason on abort.
 */
export function runSearch(command: SearchCommand): Promise<SearchOutput | null> {
  const maxBytes = command.maxBytes ?? maximumOutput;
  return new Promise((resolve, reject) => {
    command.signal.throwIfAborted();
    const child = spawn(command.program, command.arguments, {
      cwd: command.cwd,
      env: cleanEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    const abort = (): void => void child.kill('SIGKILL');
    command.signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes <= maxBytes) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 4000) stderr += text;
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      command.signal.removeEventListener('abort', abort);
      if (error.code === 'ENOENT') resolve(null);
      else reject(error);
    });
    child.on('close', (exitCode) => {
      command.signal.removeEventListener('abort', abort);
      if (command.signal.aborted) return reject(command.signal.reason);
      const truncated = bytes > maxBytes;
      const whole = Buffer.concat(chunks);
      const end = truncated ? whole.subarray(0, maxBytes).lastIndexOf(command.separator) + 1 : whole.length;
      resolve({ stdout: whole.subarray(0, end).toString('utf8'), stderr, exitCode, truncated });
    });
  });
}
