import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** Folders that the sandbox already has, and folders never mounted as a whole. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64'];
const neverWhole = '/ /home /root /tmp /run /var /etc /proc /sys /dev /mnt /srv'.split(' ');

/** Folders with programs beside credentials: only the named parts are mounted. */
const mixed: Readonly<Record<string, readonly string[]>> = {
  '.cargo': ['bin', 'registry', 'git'],
  '.local': ['bin', 'lib', 'pipx', 'share/pnpm', 'share/mise', 'share/uv'],
};

/**
 * Returns the folders to mount read-only so that the programs on `path` (a PATH) work. For a `bin`,
 * the whole toolchain is mounted (`/opt/go/bin`). `also` adds single programs, such as the running
 * node.
 *
 * Never included: homes, folders above homes, and folders of credentials, though `~/.docker/bin`
 * is. Nor is a folder that is or contains one of `hidden`, though a `bin` beside it is.
 */
export function toolchainFolders(
  path: string,
  also: readonly string[] = [],
  hidden: readonly string[] = [],
): string[] {
  const found = new Set<string>();
  const folders = [...path.split(':'), ...also.map((program) => dirname(program))];
  for (const folder of folders) {
    if (!folder.startsWith('/') || !existsSync(folder)) continue;
    for (const path of new Set([folder, realpathSync(folder)]))
      for (const mounted of foldersToMount(path, hidden)) if (existsSync(mounted)) found.add(mounted);
  }
  const sorted = [...found].sort();
  return sorted.filter((folder) => !sorted.some((other) => other !== folder && isFolderBelow(folder, other)));
}

function foldersToMount(folder: string, hidden: readonly string[]): string[] {
  const hides = (path: string) => hidden.some((one) => one === path || isFolderBelow(one, path));
  if (
    neverWhole.includes(folder) ||
    isHome(folder) ||
    hides(folder) ||
    systemFolders.some((one) => folder === one || isFolderBelow(folder, one)) ||
    isClosed(folder) ||
    containsCredentials(folder)
  )
    return [];
  const parent = dirname(folder);
  const special = mixed[basename(parent)];
  if (special !== undefined) return special.map((part) => join(parent, part));
  const isToolchain =
    basename(folder) === 'bin' &&
    !neverWhole.includes(parent) &&
    !isHome(parent) &&
    !hides(parent) &&
    !containsCredentials(parent);
  return [isToolchain ? parent : folder];
}

function isHome(folder: string): boolean {
  return /^\/(home|Users)\/[^/]+$/.test(folder) || folder === '/root';
}

/**
 * Returns true if a user can reach a folder, by its permissions and those above it
 * (path_resolution(7)).
 */
export function isReachable(folder: string, user: { readonly uid?: number; readonly gid?: number }): boolean {
  if (user.uid === undefined) return true;
  for (let path = folder; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const others = gid === user.gid ? 0o010 : 0o001;
    const bit = uid === user.uid ? 0o100 : others;
    if ((mode & bit) === 0) return false;
    if (path === '/') return true;
  }
}

/** True when `folder` lies below `other`. */
export function isFolderBelow(folder: string, other: string): boolean {
  return folder.startsWith(other.endsWith(sep) ? other : other + sep);
}

/** Documented folders in which command-line programs store sign-ins. */
const folders = new Set(
  (
    'ssh gnupg aws azure docker kube fly gem config gcloud oci vault terraform.d netlify vercel heroku railway cf ' +
    'bluemix ibmcloud aliyun linode pulumi snyk wrangler m2 gradle nuget composer bundle sbt ivy2 claude codex gemini ' +
    'cursor copilot opencode huggingface kaggle databricks snowflake dbt boto minikube helm password-store'
  )
    .split(' ')
    .map((name) => `.${name}`),
);

/** Files with keys and tokens, in any folder. */
const files =
  /^(?:\.netrc|_netrc|\.git-credentials|\.npmrc|\.pypirc|\.pgpass|\.vault-token|\.env|credentials(?:\..+)?|.*[._-]credentials?\.(?:json|db|toml|ya?ml)|(?:auth|hosts|tokens?|config)\.(?:json|ya?ml|toml)|access_tokens\..+|id_(?:rsa|dsa|ecdsa|ed25519)|settings(?:-security)?\.xml)$/i;

/** Folders of keys, even if one is on PATH. */
const closed = /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|password-store)(?:\/|$)/;

/** Returns true for a folder of keys and everything in it. */
export const isClosed = (folder: string): boolean => closed.test(folder);

/**
 * Returns true for a folder that holds credentials by its name or its direct entries, such as a
 * home with an unusual name.
 */
export function containsCredentials(folder: string): boolean {
  if (folders.has(basename(folder))) return true;
  try {
    return readdirSync(folder).some((name) => folders.has(name) || files.test(name));
  } catch {
    return true;
  }
}

/** Lets other users traverse our folders above a path, without listing them. */
export async function allowTraversal(path: string): Promise<void> {
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) {
    const { mode, uid } = await stat(folder);
    if ((mode & 0o001) === 0 && uid === process.getuid?.()) await chmod(folder, (mode & 0o777) | 0o001);
  }
}
