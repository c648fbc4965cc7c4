import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Cure } from './sandbox-cures.ts';
import { filterDescriptor, systemArguments } from './sandbox-layout.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { trustedPath } from './trusted-path.ts';

/** Whether commands can be sandboxed on this machine; if not, why, and what a person has to do. */
export interface SandboxProbe extends Cure {
  readonly available: boolean;
  readonly reason: string;
}

/** How long an empty sandbox may take. */
const patienceMs = 10_000;

/**
 * Starts one empty sandbox with the `bwrap` found on `path` (a PATH; the system's own where it is undefined),
 * as a given user where `identity` says so, and tells whether that worked. Takes a few milliseconds; the
 * caller keeps the answer. Never throws. `machine` is the folder under which the settings that explain a failure
 * are looked for, `/` unless given.
 */
export async function probeSandbox(options: {
  readonly path: string | undefined;
  /** The checkout, whose programs do not count; left out, none. */
  readonly root?: string;
  readonly identity?: { readonly uid?: number; readonly gid?: number };
  readonly machine?: string;
}): Promise<SandboxProbe> {
  const { machine = '/' } = options;
  const filter = systemCallFilter(process.arch);
  if (process.platform !== 'linux' || filter === null) {
    const cure = 'Run on Linux with an x64 or arm64 processor, or switch the sandbox off.';
    const reason = `there is no sandbox for ${process.platform} on ${process.arch}`;
    return { available: false, reason, cure, steps: cure };
  }
  return new Promise((settle, fail) => {
    // What to do about it is only loaded where there is something to do.
    const failed = (reason: string, cureIn: (cures: typeof import('./sandbox-cures.ts')) => Cure) =>
      void import('./sandbox-cures.ts').then(
        (cures) => settle({ available: false, reason, ...cureIn(cures) }),
        fail,
      );
    const child = spawn('bwrap', [...systemArguments(null), '--', '/bin/bash', '-c', 'exit 0'], {
      stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'],
      env: { PATH: trustedPath(options.path, options.root ?? null), LC_ALL: 'C' },
      ...options.identity,
    });
    // Not by the option of `spawn`, whose timer outlives a program that is not there: each run would end that much later.
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    const given = child.stdio[filterDescriptor] as Writable;
    // One that fails at once never reads it.
    given.on('error', () => {});
    given.end(filter);
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(0, 2_000);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const absent = error.code === 'ENOENT';
      failed(
        absent ? '`bwrap` (bubblewrap) is not installed' : `\`bwrap\` could not be started: ${error.message}`,
        (cures) => cures.installCure(machine),
      );
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) settle({ available: true, reason: 'bubblewrap works', cure: '', steps: '' });
      else
        failed(`\`bwrap\` failed: ${errors.trim() || endOf(code, signal)}`, (cures) =>
          cures.cureFor(errors, machine),
        );
    });
  });
}

function endOf(code: number | null, signal: string | null): string {
  if (signal === 'SIGKILL') return `it was killed, after ${patienceMs / 1_000} seconds at most`;
  return signal === null ? `exit code ${code}` : `it was ended by ${signal}`;
}
