import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { filterDescriptor, systemArguments } from './sandbox-layout.ts';
import type { Remedy } from './sandbox-remedies.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { trustedPath } from './trusted-path.ts';

/** The result of a probe; if unavailable, the reason and the remedy. */
export interface SandboxProbe extends Remedy {
  readonly available: boolean;
  readonly reason: string;
}

/** Time limit for an empty sandbox. */
const timeoutMs = 10_000;

/**
 * Starts one empty sandbox and returns whether that worked. Takes a few milliseconds; the caller
 * caches the result. Never throws.
 *
 * `path`: a PATH to find `bwrap` on (default: the system's). `identity`: the user to run as.
 * `machine`: root of the settings that explain a failure (default: `/`).
 */
export async function probeSandbox(options: {
  readonly path: string | undefined;
  /** The checkout, whose programs are ignored. Default: none. */
  readonly root?: string;
  readonly identity?: { readonly uid?: number; readonly gid?: number };
  readonly machine?: string;
}): Promise<SandboxProbe> {
  const { machine = '/' } = options;
  const filter = systemCallFilter(process.arch);
  if (process.platform !== 'linux' || filter === null) {
    const summary = 'Run on Linux with an x64 or arm64 processor, or switch the sandbox off.';
    const reason = `there is no sandbox for ${process.platform} on ${process.arch}`;
    return { available: false, reason, summary, steps: summary };
  }
  return new Promise((resolve, fail) => {
    // Loads the remedies only when needed.
    const failed = (reason: string, remedyIn: (remedies: typeof import('./sandbox-remedies.ts')) => Remedy) =>
      void import('./sandbox-remedies.ts').then(
        (remedies) => resolve({ available: false, reason, ...remedyIn(remedies) }),
        fail,
      );
    const child = spawn('bwrap', [...systemArguments(null), '--', '/bin/bash', '-c', 'exit 0'], {
      stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'],
      env: { PATH: trustedPath(options.path, options.root ?? null), LC_ALL: 'C' },
      ...options.identity,
    });
    // Not the option of `spawn`: its timer outlives a missing program and delays the end of the
    // run.
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const filterInput = child.stdio[filterDescriptor] as Writable;
    // A failing process may never read it.
    filterInput.on('error', () => {});
    filterInput.end(filter);
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(0, 2_000);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const absent = error.code === 'ENOENT';
      failed(
        absent ? '`bwrap` (bubblewrap) is not installed' : `\`bwrap\` could not be started: ${error.message}`,
        (remedies) => remedies.installRemedy(machine),
      );
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve({ available: true, reason: 'bubblewrap works', summary: '', steps: '' });
      else
        failed(`\`bwrap\` failed: ${errors.trim() || endOf(code, signal)}`, (remedies) =>
          remedies.remedyFor(errors, machine),
        );
    });
  });
}

function endOf(code: number | null, signal: string | null): string {
  if (signal === 'SIGKILL') return `it was killed, after ${timeoutMs / 1_000} seconds at most`;
  return signal === null ? `exit code ${code}` : `it was ended by ${signal}`;
}
