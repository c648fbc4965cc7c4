import { nameMatcher } from '../patterns/match-globs.ts';
import { pathGlobs } from '../patterns/path-globs.ts';

/** Credential files at any depth. Lower case; each ends in a name or a glob without braces. */
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

/** Folders whose files all hold credentials, at any depth. */
const folders = [
  ...['.ssh', '.gnupg', '.azure'],
  ...['.config/gh', '.config/gcloud', '.config/git', '.config/anode'],
];

const isCredential = pathGlobs([
  ...files.map((path) => `**/${path}`),
  ...folders.map((path) => `**/${path}/**`),
]);

const lastNames = (paths: readonly string[]) => [
  ...new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1))),
];
const isFileName = nameMatcher(lastNames(files));
const isFolderName = nameMatcher(lastNames(folders));

const pattern = (name: string) => name.replace(/[.*]/g, (character) => (character === '*' ? '.*' : '\\.'));
/** Matches file names in any case at once: every name of a tree is tried. */
const fileName = new RegExp(`^(?:${lastNames(files).map(pattern).join('|')})$`, 'isu');

/**
 * Returns why a path may be neither read nor written: it holds credentials. Null for other paths.
 */
export function isCredentialPath(path: string): string | null {
  // No glob matches `..`; its target does not matter here.
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  // A fast test that excludes almost every path.
  if (!isFileName(parts.at(-1) ?? '') && !parts.some(isFolderName)) return null;
  return isCredential(parts.join('/')) ? 'credentials are kept there' : null;
}

/** Returns false, cheaply, for almost every name that is no credential file's. */
export function maybeCredentialFile(name: string): boolean {
  return fileName.test(name);
}

/** Returns false, cheaply, for almost every name that is no credential folder's. */
export function maybeCredentialFolder(name: string): boolean {
  return isFolderName(name.toLowerCase());
}
