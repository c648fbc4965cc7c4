import { realpathSync } from 'node:fs';
import { isCredentialPath, maybeCredentialFile, maybeCredentialFolder } from '../gate/credential-paths.ts';
import { holdsProtected, isProtected, maybeProtected } from '../gate/protected-paths.ts';

/** What a folder is, for what lies in it. */
export type Place =
  | 'plain'
  /** All in it is protected. */
  | 'protected'
  /** A git directory: some of what is in it steers git. */
  | 'git'
  /** Each file in it holds a credential, whatever other concern its name gives it. */
  | 'credentials'
  /** Nothing in it matters. */
  | 'skipped';

/** Why a name is watched; null for one that is not. */
type Concern =
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

/** A name in the work tree that matters, as it stood when it was last looked at. */
export interface WatchedEntry extends TreeEntry {
  readonly concern: Exclude<Concern, null>;
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

/** What a name comes to: its concern, and what the folder is that it names. */
interface Watched {
  readonly concern: Concern;
  readonly place: Place;
}

/**
 * Decides on one name of the work tree by itself and by the folder that it is in. `hasSibling` tells of the other names of that
 * folder. Almost all names cost one look into a table.
 */
export function watchName(entry: TreeEntry, above: Place, hasSibling: (name: string) => boolean): Watched {
  const { path, name, kind } = entry;
  if (above === 'git') return inGit(entry);
  if (above === 'protected') return { concern: 'protected', place: 'protected' };
  if (isOwn(path)) return { concern: null, place: 'skipped' };
  const text = textOf(name);
  if (kind === 'directory' && maybeCredentialFolder(text) && isCredentialFolder(path))
    return { concern: null, place: 'credentials' };
  const found = maybeProtected(text) ? protectedName(textOf(path), kind, above) : null;
  if (found !== null) return found;
  if (ruleFiles.has(name) && kind !== 'directory') return { concern: 'rules', place: above };
  const isCredential =
    kind === 'file' && (above === 'credentials' || isCredentialFile(path, text, hasSibling));
  return { concern: isCredential ? 'credential' : null, place: above };
}

/** False for most names of a path, at a small cost: nothing of that name, nor below it, is protected or a file of rules. */
export function mayMatter(name: string): boolean {
  return ruleFiles.has(name) || maybeProtected(name);
}

function isCredentialFolder(path: string): boolean {
  return isCredentialPath(`${textOf(path)}/x`) !== null;
}

function isCredentialFile(path: string, name: string, hasSibling: (name: string) => boolean): boolean {
  // A bare repository, which has no name to know it by.
  if (name === 'config' && hasSibling('HEAD') && hasSibling('objects')) return true;
  return maybeCredentialFile(name) && isCredentialPath(textOf(path)) !== null;
}

/** Null for a name that is not protected at this path. */
function protectedName(path: string, kind: TreeEntry['kind'], above: Place): Watched | null {
  if (isProtected(path) === null)
    return kind === 'link' && holdsProtected(path) ? { concern: 'protected', place: above } : null;
  const isGit = kind === 'directory' && isProtected(`${path}/x`) === gitReason;
  return { concern: 'protected', place: isGit ? 'git' : 'protected' };
}

const gitReason = isProtected('.git/x');

function inGit({ path, name, kind }: TreeEntry): Watched {
  if (gitSteers.has(name)) return { concern: 'protected', place: kind === 'directory' ? 'protected' : 'git' };
  // Objects and the rest of a repository in a folder of credentials are kept there too.
  if (gitHeavy.has(name))
    return { concern: null, place: isCredentialFolder(path) ? 'credentials' : 'skipped' };
  const isCredential = kind === 'file' && isCredentialPath(textOf(path)) !== null;
  return { concern: isCredential ? 'credential' : null, place: 'git' };
}

/** The workspace's own git directory, in whose place another stands, and what a run keeps for itself. */
function isOwn(path: string): boolean {
  return path === '.git' || path === '.anode-harness';
}

/** A link under a protected name, or in the place of a folder that holds some, and where it leads; both are paths from the root. */
export interface ProtectedLink {
  readonly link: string;
  readonly target: string;
}

/** Those among the names that were found in the tree at `root`; what leads out of the tree, or nowhere, is none. */
export function protectedLinks(root: string, entries: readonly WatchedEntry[]): ProtectedLink[] {
  return entries.flatMap(({ path, kind, concern }) => {
    if (kind !== 'link' || concern !== 'protected') return [];
    const bytes = Buffer.from(path, 'latin1');
    const target = realTarget(root, Buffer.concat([Buffer.from(`${root}/`), bytes]));
    return target === null ? [] : [{ link: bytes.toString('utf8'), target }];
  });
}

/** The names by which links lead to a path: `.vscode/mcp.json` for `vs/mcp.json` where `.vscode` is a link to `vs`. */
export function namesByLinks(path: string, links: readonly ProtectedLink[]): string[] {
  return links.flatMap(({ link, target }) =>
    path === target || path.startsWith(`${target}/`) ? [link + path.slice(target.length)] : [],
  );
}

function realTarget(root: string, link: Buffer): string | null {
  try {
    const real = realpathSync(link);
    return real.startsWith(`${root}/`) ? real.slice(root.length + 1) : null;
  } catch {
    return null;
  }
}
