import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Any of these shows the tests what a page looks like; the first is Debian's. */
export const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const;

/**
 * Programs that some tests and benches need and that no npm package brings, each with the Debian
 * package it is in.
 */
const allPackages: readonly { readonly programs: readonly string[]; readonly debianPackage: string }[] = [
  { programs: ['bwrap'], debianPackage: 'bubblewrap' },
  { programs: ['socat'], debianPackage: 'socat' },
  { programs: browsers, debianPackage: 'chromium' },
  { programs: ['jq'], debianPackage: 'jq' },
  { programs: ['psql'], debianPackage: 'postgresql' },
];

/**
 * Installs missing packages if permitted: with apt, as root or with a `sudo` that needs no
 * password. `only` names the packages; default: all. Returns the packages still missing afterwards,
 * and never fails because of one.
 */
export function installSystemPackages(env: NodeJS.ProcessEnv, only?: readonly string[]): string[] {
  const missing = missingPackages(env, only);
  const prefix = missing.length === 0 ? null : rootPrefix(env);
  if (prefix === null) return missing;
  console.log(`Installing ${missing.join(' and ')} with apt-get …`);
  const aptGet = (...args: string[]) => {
    const [program = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args];
    const options = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env: options }).status === 0;
  };
  const install = ['install', '-y', '-q', '--no-install-recommends', ...missing];
  // A new machine has no package lists yet.
  if (!aptGet(...install) && aptGet('update', '-q')) aptGet(...install);
  return missingPackages(env, only);
}

function missingPackages(env: NodeJS.ProcessEnv, only?: readonly string[]): string[] {
  return allPackages
    .filter(({ debianPackage }) => only?.includes(debianPackage) ?? true)
    .filter(({ programs }) => !programs.some((program) => onPath(program, env)))
    .map(({ debianPackage }) => debianPackage);
}

/** The words before `apt-get` on this machine; null if it may not be used. */
function rootPrefix(env: NodeJS.ProcessEnv): string[] | null {
  if (!onPath('apt-get', env)) return null;
  if (process.getuid?.() === 0) return [];
  return onPath('sudo', env) && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore', env }).status === 0
    ? ['sudo', '-n']
    : null;
}

function onPath(program: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
