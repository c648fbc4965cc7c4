import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { git } from './git.ts';

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

/** Writes a blob, as git's loose object, and gives its id; a process for each file would take too long. */
export async function writeBlob(directory: string, content: Buffer | string): Promise<string> {
  const bytes = Buffer.from(content);
  const object = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  const id = createHash('sha1').update(object).digest('hex');
  const folder = join(directory, 'objects', id.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id.slice(2)), deflateSync(object), { flag: 'wx' }).catch((cause: unknown) => {
    // There already: the same bytes have the same name.
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
  });
  return id;
}

/** Writes the tree that `changes` make of `base` (a commit or tree; null is the empty tree). */
export async function writeTree(
  directory: string,
  base: string | null,
  changes: readonly TreeChange[],
): Promise<string> {
  const scratch = await mkdtemp(join(directory, 'index-'));
  const env = { GIT_INDEX_FILE: join(scratch, 'index') };
  try {
    if (base !== null) await git(directory, ['read-tree', base], { env });
    const modes = await modesOf(directory, base, changes);
    const lines: string[] = [];
    for (const { path, content, mode } of changes) {
      if (content === null) {
        lines.push(`0 ${'0'.repeat(40)}\t${path}`);
        continue;
      }
      const blob = typeof content === 'string' ? content : await writeBlob(directory, content);
      lines.push(`${mode ?? modes.get(path) ?? '100644'} ${blob}\t${path}`);
    }
    await git(directory, ['update-index', '-z', '--index-info'], {
      env,
      input: lines.map((l) => `${l}\0`).join(''),
    });
    return await git(directory, ['write-tree'], { env });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function modesOf(directory: string, base: string | null, changes: readonly TreeChange[]) {
  if (base === null || changes.length === 0) return new Map<string, string>();
  const listing = await git(directory, ['ls-tree', '-r', '-z', base]);
  return new Map(
    listing
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, 6)] as const),
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
  const parents = commit.parents.flatMap((parent) => ['-p', parent]);
  return git(directory, ['commit-tree', commit.tree, ...parents, '-F', '-'], {
    input: commit.message,
    env: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: author.date,
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: committer.date,
    },
  });
}
