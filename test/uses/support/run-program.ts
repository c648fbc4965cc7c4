import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export const projectRoot = path.resolve(import.meta.dirname, '../../..');

/** The end of a program, and its output. */
export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** All it gets besides `PATH`. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** The user and group that it runs as; default: ours. */
  readonly user?: number;
  /** The Node to start; default: ours. */
  readonly node?: string;
}

/** A program that is running still. */
export interface StartedProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramResult>;
}

/** Starts a TypeScript or JavaScript file of the project as a process of its own. */
export function startProgram(file: string, args: readonly string[], options: ProgramOptions): StartedProgram {
  const child = spawn(options.node ?? process.execPath, [path.resolve(projectRoot, file), ...args], {
    cwd: options.cwd,
    ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
    env: { PATH: process.env.PATH, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(options.stdin ?? '');
  const finish = async (): Promise<ProgramResult> => {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { code, stdout, stderr };
  };
  return { child, ended: finish() };
}

/** Runs it to its end. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  return startProgram(file, args, options).ended;
}
