import { nameMatcher, pathGlobs } from '../patterns/match-globs.ts';

/** Files that hold credentials, at any depth. All is in lower case, and each ends in a name or a glob without braces. */
const files = [
  ...['config', 'config.worktree'].flatMap((name) => [
    `.git/${name}`,
    `.git/modules/**/${name}`,
    `.git/worktrees/**/${name}`,
  ]),
  ...['.netrc', '_netrc', '.git-credentials', '.pgpass', '.vault-token', 'gha-creds-*.json'],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519'],
  ...['.aws/credentials', '.docker/config.json', '.kube/config'],
  ...['proc/*/environ', 'proc/*/mem', 'etc/shadow', 'etc/gshadow', 'etc/sudoers'],
];

/** Folders in which each file holds credentials, at any depth. */
const folders = [
  ...['.ssh', '.gnupg', '.azure'],
  ...['.config/gh', '.config/gcloud', '.config/git', '.config/anode'],
];

const isCredential = pathGlobs([
  ...files.map((path) => `**/${path}`),
  ...folders.map((path) => `**/${path}/**`),
]);

const lastNames = (paths: readonly string[]) =>
  nameMatcher([...new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)))]);
const isFileName = lastNames(files);
const isFolderName = lastNames(folders);

/** Why a path may be neither read nor written: it is where credentials lie. Null for every other path. */
export function isCredentialPath(path: string): string | null {
  // No glob matches `..`, and where it leads does not matter here.
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  // Almost every path costs a look into a table for each of its names.
  if (!isFileName(parts.at(-1) ?? '') && !parts.some(isFolderName)) return null;
  return isCredential(parts.join('/')) ? 'credentials are kept there' : null;
}

/** False for almost every name, at a small cost: no path of a file of credentials ends in it. */
export function maybeCredentialFile(name: string): boolean {
  return isFileName(name.toLowerCase());
}

/** False for almost every name, at a small cost: no path of a folder of credentials ends in it. */
export function maybeCredentialFolder(name: string): boolean {
  return isFolderName(name.toLowerCase());
}
