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

/** Folders with more than this in them are not copied. */
const mostCopied = 64;

/** What sandboxes see of /etc: copies of the small parts in one folder, and the folders to bind over it. */
export interface ShownEtc {
  readonly folder: string;
  readonly bound: readonly string[];
}

/** The paths of the parts that this machine has. */
export function etcParts(): string[] {
  return names.map((name) => `/etc/${name}`).filter((part) => existsSync(part));
}

/**
 * Copies the small parts of /etc into `folder`, which must not exist. A sandbox needs one mount for all of
 * them then, and every mount makes each later one dearer: bubblewrap reads the whole list of them again. What
 * we may not read is left out.
 */
export async function copyEtc(folder: string): Promise<ShownEtc> {
  await mkdir(folder);
  // Whoever the sandbox runs as, and whatever our mask: it is for all to read.
  await chmod(folder, 0o755);
  const parts = await Promise.all(etcParts().map(async (part) => ({ part, small: await isSmall(part) })));
  const copied = parts.flatMap(({ part, small }) => (small ? [part] : []));
  const bound = parts.flatMap(({ part, small }) => (small ? [] : [part]));
  for (const part of bound) await mkdir(join(folder, part.slice('/etc/'.length)));
  // Modes and links as they are, but the parts themselves by their content; its complaints are what is left out.
  await new Promise<void>((settle) => {
    execFile('cp', ['-a', '-H', ...copied, folder], { env: { PATH: '/usr/bin:/bin' } }, () => settle());
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
