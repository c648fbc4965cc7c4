import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { systemArguments } from './sandbox-layout.ts';

/** Whether commands can be sandboxed on this machine; if not, why, and what a person has to do. */
export interface SandboxProbe {
  readonly available: boolean;
  readonly reason: string;
  readonly cure: string;
}

const install =
  'Install it: `apt-get install bubblewrap` (Debian, Ubuntu), `dnf install bubblewrap` (Fedora), `apk add bubblewrap bash` (Alpine).';

/**
 * Starts one empty sandbox with the `bwrap` found on `path` (a PATH; the system's own where it is undefined),
 * as a given user where `identity` says so, and tells whether that worked. Takes a few milliseconds; the
 * caller keeps the answer. Never throws.
 */
export async function probeSandbox(options: {
  readonly path: string | undefined;
  readonly identity?: { readonly uid?: number; readonly gid?: number };
}): Promise<SandboxProbe> {
  if (process.platform !== 'linux')
    return {
      available: false,
      reason: `there is no sandbox for ${process.platform}`,
      cure: 'Run on Linux, or switch the sandbox off.',
    };
  return new Promise((settle) => {
    const child = spawn('bwrap', [...systemArguments(null), '--', '/bin/bash', '-c', 'exit 0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: options.path ?? '/usr/bin:/bin', LC_ALL: 'C' },
      timeout: 10_000,
      killSignal: 'SIGKILL',
      ...options.identity,
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(0, 2_000);
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      settle(
        error.code === 'ENOENT'
          ? { available: false, reason: '`bwrap` (bubblewrap) is not installed', cure: install }
          : { available: false, reason: `\`bwrap\` could not be started: ${error.message}`, cure: install },
      ),
    );
    child.on('close', (code) =>
      settle(
        code === 0
          ? { available: true, reason: 'bubblewrap works', cure: '' }
          : {
              available: false,
              reason: `\`bwrap\` failed: ${errors.trim() || `exit code ${code}`}`,
              cure: cureFor(errors),
            },
      ),
    );
  });
}

/** What to change, going by the settings of this kernel rather than by words alone. */
function cureFor(errors: string): string {
  if (/unknown option/i.test(errors)) return 'Install bubblewrap 0.8 or newer.';
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1')
    return 'AppArmor forbids user namespaces to ordinary programs: run `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` in a step before, or load an AppArmor profile for /usr/bin/bwrap with the rule `userns,`.';
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0')
    return 'User namespaces are switched off: run `sudo sysctl -w kernel.unprivileged_userns_clone=1`.';
  if (setting('/proc/sys/user/max_user_namespaces') === '0')
    return 'User namespaces are switched off: run `sudo sysctl -w user.max_user_namespaces=15000`.';
  if (/proc/i.test(errors))
    return 'This container masks /proc: start it with `--security-opt systempaths=unconfined --security-opt seccomp=unconfined --security-opt apparmor=unconfined`.';
  return 'This looks like a container without user namespaces: start it with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`, or run on the machine itself.';
}

function setting(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
