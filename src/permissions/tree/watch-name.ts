import { isCredentialPath, maybeCredentialFile, maybeCredentialFolder } from '../gate/credential-paths.ts';
import { holdsProtected, isProtected, maybeProtected } from '../gate/protected-paths.ts';

/** The kind of a folder, which applies to its contents. */
export type FolderKind =
  | 'plain'
  /** Everything in it is protected. */
  | 'protected'
  /** A git directory; some of its contents configure git. */
  | 'git'
  /** Every file in it holds a credential, whatever its name. */
  | 'credentials'
  /** Nothing in it matters. */
  | 'skipped';

/** The reason to watch a name; null for unwatched ones. */
type Concern =
  | 'protected'
  /** A rules file that git or a search reads by itself. */
  | 'rules'
  /** It may hold a credential. */
  | 'credential'
  | null;

export interface TreeEntry {
  /** Path from the root. Characters are bytes (Latin-1), since names need not be UTF-8. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** A watched name in the work tree as of the last look. */
export interface WatchedEntry extends TreeEntry {
  readonly concern: Exclude<Concern, null>;
}

/**
 * Files that git and search programs read in any folder (gitignore(5), gitattributes(5),
 * gitmodules(5)).
 */
const ruleFiles = new Set('.gitignore .gitattributes .gitmodules .ignore .rgignore .mailmap'.split(' '));

/** Parts of a git directory that configure git (gitrepository-layout(5), git-config(1)). */
const gitSettings = new Set(
  'config config.worktree commondir gitdir hooks attributes sparse-checkout'.split(' '),
);
const gitData = new Set(['objects', 'refs', 'logs', 'lfs']);

const decoder = new TextDecoder();
const textOf = (bytes: string) =>
  /^[\0-\x7f]*$/.test(bytes) ? bytes : decoder.decode(Buffer.from(bytes, 'latin1'));

/** The concern of a name, and the kind of folder it names. */
interface Watched {
  readonly concern: Concern;
  readonly folderKind: FolderKind;
}

/**
 * Classifies one name of the work tree by itself and its folder. `hasSibling` tests for other names
 * in that folder. Almost all names cost one table lookup.
 */
export function watchName(
  entry: TreeEntry,
  above: FolderKind,
  hasSibling: (name: string) => boolean,
): Watched {
  const { path, name, kind } = entry;
  if (above === 'git') return inGit(entry);
  if (above === 'protected') return { concern: 'protected', folderKind: 'protected' };
  if (isOwn(path)) return { concern: null, folderKind: 'skipped' };
  const text = textOf(name);
  if (kind === 'directory' && maybeCredentialFolder(text) && isCredentialFolder(path))
    return { concern: null, folderKind: 'credentials' };
  const found = maybeProtected(text) ? protectedName(textOf(path), kind, above) : null;
  if (found !== null) return found;
  if (ruleFiles.has(name) && kind !== 'directory') return { concern: 'rules', folderKind: above };
  const isCredential =
    kind === 'file' && (above === 'credentials' || isCredentialFile(path, text, hasSibling));
  return { concern: isCredential ? 'credential' : null, folderKind: above };
}

/**
 * Returns false, cheaply, for most names: neither they nor anything below is protected or a rules
 * file.
 */
export function mayMatter(name: string): boolean {
  return ruleFiles.has(name) || maybeProtected(name);
}

function isCredentialFolder(path: string): boolean {
  return isCredentialPath(`${textOf(path)}/x`) !== null;
}

function isCredentialFile(path: string, name: string, hasSibling: (name: string) => boolean): boolean {
  // A bare repository, whose folder may have any name.
  if (name === 'config' && hasSibling('HEAD') && hasSibling('objects')) return true;
  return maybeCredentialFile(name) && isCredentialPath(textOf(path)) !== null;
}

/** Null if the name is not protected at this path. */
function protectedName(path: string, kind: TreeEntry['kind'], above: FolderKind): Watched | null {
  if (isProtected(path) === null)
    return kind === 'link' && holdsProtected(path) ? { concern: 'protected', folderKind: above } : null;
  const isGit = kind === 'directory' && isProtected(`${path}/x`) === gitReason;
  return { concern: 'protected', folderKind: isGit ? 'git' : 'protected' };
}

const gitReason = isProtected('.git/x');

function inGit({ path, name, kind }: TreeEntry): Watched {
  if (gitSettings.has(name))
    return { concern: 'protected', folderKind: kind === 'directory' ? 'protected' : 'git' };
  // Folders of credentials may contain objects and the rest of a repository.
  if (gitData.has(name))
    return { concern: null, folderKind: isCredentialFolder(path) ? 'credentials' : 'skipped' };
  const isCredential = kind === 'file' && isCredentialPath(textOf(path)) !== null;
  return { concern: isCredential ? 'credential' : null, folderKind: 'git' };
}

/** The workspace's git directory, which another replaces, and the run's own record. */
function isOwn(path: string): boolean {
  return path === '.git' || path === '.anode-harness';
}
