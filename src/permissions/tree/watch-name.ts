import { isCredentialPath } from '../credential-paths.ts';
import { holdsProtected, isProtected, maybeProtected } from '../protected-paths.ts';

/** What a folder is, for what lies in it. */
export type Place =
  | 'plain'
  /** All in it is protected. */
  | 'protected'
  /** A git directory: some of what is in it steers git. */
  | 'git'
  /** Each file in it holds a credential. */
  | 'credentials'
  /** Nothing in it matters. */
  | 'skipped';

/** Why a name is watched; null for one that is not. */
export type Concern =
  | 'protected'
  /** A file of rules that git or a search opens by itself. */
  | 'rules'
  /** It may hold a credential. */
  | 'credential'
  | null;

export interface TreeEntry {
  /** From the root; characters are bytes (Latin-1), since names need not be UTF-8. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** Files that git and search programs open wherever they come by one (gitignore(5), gitattributes(5), gitmodules(5)). */
const ruleFiles = new Set([
  '.gitignore',
  '.gitattributes',
  '.gitmodules',
  '.ignore',
  '.rgignore',
  '.mailmap',
]);

/** Parts of a git directory that git takes orders from (gitrepository-layout(5), git-config(1)). */
const gitSteers = new Set([
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'hooks',
  'attributes',
  'sparse-checkout',
]);
const gitHeavy = new Set(['objects', 'refs', 'logs', 'lfs']);

const decoder = new TextDecoder();
const textOf = (bytes: string) =>
  /^[\0-\x7f]*$/.test(bytes) ? bytes : decoder.decode(Buffer.from(bytes, 'latin1'));

/**
 * Decides on one name of the work tree by itself and by the folder that it is in: which concerns it gives, and what the folder is
 * that it names. `hasSibling` tells of the other names of that folder. Almost all names cost one look into a table.
 */
export function watchName(
  { path, name, kind }: TreeEntry,
  above: Place,
  hasSibling: (name: string) => boolean,
): { readonly concern: Concern; readonly place: Place } {
  const plain = { concern: null, place: above } as const;
  if (above === 'git') return inGit(name, kind);
  if (above === 'protected') return { concern: 'protected', place: 'protected' };
  if (above === 'credentials') return { concern: kind === 'directory' ? null : 'credential', place: above };
  if (isOwn(path)) return { concern: null, place: 'skipped' };
  // A bare repository, which has no name to know it by.
  if (name === 'config' && kind === 'file' && hasSibling('HEAD') && hasSibling('objects'))
    return { concern: 'credential', place: 'plain' };
  const text = textOf(name);
  if (kind === 'directory' && mayHoldCredentials.test(name) && isCredentialPath(`${textOf(path)}/x`) !== null)
    return { concern: null, place: 'credentials' };
  if (maybeProtected(text)) return protectedName(textOf(path), kind);
  if (ruleFiles.has(name) && kind !== 'directory') return { concern: 'rules', place: 'plain' };
  const isFile = kind === 'file' && mayHoldCredential.test(name);
  return isFile && isCredentialPath(textOf(path)) !== null ? { ...plain, concern: 'credential' } : plain;
}

/** False for most names of a path, at a small cost: nothing of that name, nor below it, is protected or a file of rules. */
export function mayMatter(name: string): boolean {
  return ruleFiles.has(name) || maybeProtected(name);
}

/** The last names of all files that `isCredentialPath` knows by one. */
const mayHoldCredential =
  /^(?:[._]netrc|\.git-credentials|\.pgpass|\.vault-token|id_(?:rsa|dsa|ecdsa|ed25519)|credentials|gha-creds-.*\.json|config|config\.json)$/i;
/** The last names of all folders of which it knows everything. */
const mayHoldCredentials = /^(?:\.ssh|\.gnupg|\.azure|gh|gcloud|git|anode)$/i;

function protectedName(path: string, kind: TreeEntry['kind']): { concern: Concern; place: Place } {
  if (isProtected(path) !== null) {
    const isGit = kind === 'directory' && isProtected(`${path}/x`) === gitReason;
    return { concern: 'protected', place: isGit ? 'git' : 'protected' };
  }
  const linked = kind === 'link' && holdsProtected(path);
  return { concern: linked ? 'protected' : null, place: 'plain' };
}

const gitReason = isProtected('.git/x');

function inGit(name: string, kind: TreeEntry['kind']): { concern: Concern; place: Place } {
  if (gitHeavy.has(name)) return { concern: null, place: 'skipped' };
  if (!gitSteers.has(name)) return { concern: null, place: 'git' };
  return { concern: 'protected', place: kind === 'directory' ? 'protected' : 'git' };
}

/** The workspace's own git directory, in whose place another stands, and what a run keeps for itself. */
function isOwn(path: string): boolean {
  return path === '.git' || path === '.anode-harness';
}
