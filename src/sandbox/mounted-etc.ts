import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of /etc that programs need and that hold no secret. */
const names = (
  'passwd group nsswitch.conf hosts protocols services localtime timezone os-release debian_version ' +
  'alternatives ld.so.cache ld.so.conf ld.so.conf.d ssl ca-certificates ca-certificates.conf pki crypto-policies ' +
  'mime.types magic terminfo inputrc bash.bashrc java-17-openjdk java-21-openjdk java-25-openjdk maven python3 python3.11 ' +
  'python3.12 python3.13 perl php fonts dpkg R'
).split(' ');

/** Maximum entries of a folder that is copied. */
const mostCopied = 64;

/**
 * The /etc of sandboxes: one folder with copies of the small parts, and the folders to bind over
 * it.
 */
export interface MountedEtc {
  readonly folder: string;
  readonly bound: readonly string[];
}

/** Returns the paths of the parts that this machine has. */
export function etcParts(): string[] {
  return names.map((name) => `/etc/${name}`).filter((part) => existsSync(part));
}

/**
 * Copies the small parts of /etc into `folder`, which must not exist. They then need one mount;
 * every mount makes later ones slower, as bubblewrap rereads the list. Unreadable parts are
 * omitted.
 */
export async function copyEtc(folder: string): Promise<MountedEtc> {
  await mkdir(folder);
  // Readable by all, whatever the user and the umask.
  await chmod(folder, 0o755);
  const parts = await Promise.all(etcParts().map(async (part) => ({ part, small: await isSmall(part) })));
  const copied = parts.flatMap(({ part, small }) => (small ? [part] : []));
  const bound = parts.flatMap(({ part, small }) => (small ? [] : [part]));
  for (const part of bound) await mkdir(join(folder, part.slice('/etc/'.length)));
  // Keeps modes and links, but follows links of the parts themselves. Errors mean omitted parts.
  await new Promise<void>((resolve) => {
    execFile('cp', ['-a', '-H', ...copied, folder], { env: { PATH: '/usr/bin:/bin' } }, () => resolve());
  });
  return { folder, bound };
}

async function isSmall(part: string): Promise<boolean> {
  if (!(await stat(part)).isDirectory()) return true;
  try {
    return (await readdir(part, { recursive: true })).length <= mostCopied;
  } catch {
    return false;
  }
}
