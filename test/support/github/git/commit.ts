import { git } from './git.ts';
import { type TreeFile, writeObject, writeTrees } from './objects.ts';

/** Who wrote or committed, as git records it; `date` is ISO 8601. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface TreeChange {
  readonly path: string;
  /** Bytes, or the id of a blob that is there; null deletes the path. */
  readonly content: Buffer | string | null;
  /** Without one, a new file is 100644 and a known one keeps its own. */
  readonly mode?: string;
}

/** Writes a blob and gives its id. */
export const writeBlob = (directory: string, content: Buffer | string): Promise<string> =>
  writeObject(directory, 'blob', Buffer.from(content));

/** Writes the tree that `changes` make of `base` (a commit or tree; null is the empty tree). */
export async function writeTree(
  directory: string,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string> {
  const files = base === null ? new Map<string, TreeFile>() : await filesOf(directory, base);
  for (const { path, content, mode } of changes) {
    if (path.split('/').some((part) => /^(|\.|\.\.|\.git)$/i.test(part)))
      throw new Error(`Invalid path '${path}'`);
    const known = files.get(path)?.mode;
    files.delete(path);
    if (content === null) continue;
    // A file replaces a folder with its name, and a file that is in the way of its folder.
    for (const other of files.keys())
      if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other);
    const id = typeof content === 'string' ? content : await writeBlob(directory, content);
    files.set(path, { mode: mode ?? known ?? '100644', id });
  }
  return writeTrees(directory, files);
}

async function filesOf(directory: string, base: string): Promise<Map<string, TreeFile>> {
  const listing = await git(directory, ['ls-tree', '-r', '-z', base]);
  return new Map(
    listing
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const [mode = '', , id = ''] = line.slice(0, line.indexOf('\t')).split(' ');
        return [line.slice(line.indexOf('\t') + 1), { mode, id }] as const;
      }),
  );
}

/** Writes a commit object; no ref moves. */
export function writeCommit(
  directory: string,
  commit: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
    readonly author: Signature;
    readonly committer?: Signature;
  },
): Promise<string> {
  const { author, committer = commit.author } = commit;
  if (commit.message.includes('\0')) throw new Error('a NUL byte in commit log message not allowed');
  const lines = [
    `tree ${commit.tree}`,
    ...[...new Set(commit.parents)].map((parent) => `parent ${parent}`),
    `author ${signatureLine(author)}`,
    `committer ${signatureLine(committer)}`,
  ];
  return writeObject(directory, 'commit', Buffer.from(`${lines.join('\n')}\n\n${commit.message}`));
}

/**
 * In git's format: without the characters that it trims, and with seconds since 1970 and the zone.
 */
function signatureLine({ name, email, date }: Signature): string {
  const seconds = Date.parse(date) / 1000;
  if (Number.isNaN(seconds)) throw new Error(`invalid date format: ${date}`);
  const [plainName, plainEmail] = [name, email].map((text) =>
    text.replace(/^[\0-\x20.,:;<>"\\']+|[\0-\x20.,:;<>"\\']+$/g, '').replace(/[\n<>]/g, ''),
  );
  if (plainName === '') throw new Error(`empty ident name (for <${email}>) not allowed`);
  const zone = /([+-]\d\d):?(\d\d)$/.exec(date.replace(/^[\d-]+T/, ''));
  return `${plainName} <${plainEmail}> ${Math.floor(seconds)} ${zone === null ? '+0000' : `${zone[1]}${zone[2]}`}`;
}
