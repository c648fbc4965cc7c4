import { createHash, type Hash } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { storeFile } from '../../workspace/git/files-at.ts';
import { largestTrustedFile, type TrustedTree } from '../../workspace/git/trusted-tree.ts';
import type { ToolboxFolder, ToolboxProgram } from './toolbox-folder.ts';

/** Bounds of one folder: it is read and copied for each run. */
const deepest = 6;
const mostFiles = 1_000;
const mostBytes = 64 * 2 ** 20;

interface FoundFile {
  /** From the folder. */
  readonly path: string;
  readonly executable: boolean;
  readonly bytes: Buffer;
}

/**
 * Copies a folder of programs, with everything below it, to `target`: a new folder outside the
 * checkout that no run can write to. Programs are the executable files at its top. A problem is a
 * sentence.
 */
export async function copyToolbox(
  folder: ToolboxFolder,
  target: string,
  trusted: () => Promise<TrustedTree | null>,
): Promise<{ readonly programs: readonly ToolboxProgram[]; readonly problems: readonly string[] }> {
  const found =
    folder.from === 'operator' ? await operatorFiles(folder) : await trustedFiles(folder, await trusted());
  if ('problem' in found) return { programs: [], problems: [found.problem] };
  const { files, problems } = found;
  await mkdir(target, { recursive: true, mode: 0o755 });
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of files) {
    addTo(hash, file);
    await storeFile(target, file.path, file.bytes);
  }
  const contents = hash.digest('hex');
  const top = files.filter((file) => !file.path.includes('/') && !file.path.startsWith('.'));
  const programs = top
    .filter(({ executable }) => executable)
    .map((file): ToolboxProgram => {
      const digest = createHash('sha256').update(`${contents}\n${file.path}`).digest('hex');
      const shown = path.posix.join(folder.shown, file.path);
      return { shown, file: path.join(target, file.path), digest };
    });
  const notExecutable = top.filter(({ executable, bytes }) => !executable && isScript(bytes));
  return {
    programs,
    problems: [
      ...problems,
      ...notExecutable.map(
        (file) =>
          `${path.posix.join(folder.shown, file.path)} is a script that is not executable, so it is no tool of this run; make it executable${folder.from === 'repository' ? ' and commit that (git update-index --chmod=+x)' : ' (chmod +x)'}.`,
      ),
    ],
  };
}

type Found =
  | { readonly files: readonly FoundFile[]; readonly problems: readonly string[] }
  | { readonly problem: string };

/** Reads a folder of the trusted commit. */
async function trustedFiles(
  { shown, path: folder }: ToolboxFolder,
  tree: TrustedTree | null,
): Promise<Found> {
  const listed = (await tree?.below(folder, deepest, mostFiles + 1)) ?? [];
  if (listed.length === 0)
    return {
      problem: `The toolbox folder ${shown} is left out: the trusted commit has no files there. Commit them.`,
    };
  if (listed.length > mostFiles) return { problem: tooMany(shown) };
  const contents = await tree?.read(listed.map((file) => file.path));
  const below = (file: string) => (folder === '' ? file : file.slice(folder.length + 1));
  const missing = listed.filter((file) => contents?.get(file.path) === undefined);
  return {
    files: listed.flatMap(({ path: file, executable }) => {
      const bytes = contents?.get(file);
      return bytes === undefined ? [] : [{ path: below(file), executable, bytes }];
    }),
    problems: missing.map(
      (file) =>
        `${file.path} is missing from the toolbox of this run: of a repository, files up to ${largestTrustedFile} bytes are taken, and 16 MiB in all.`,
    ),
  };
}

/** Reads a folder of this machine. Links to files are followed, links to folders are not. */
async function operatorFiles({ shown, path: folder }: ToolboxFolder): Promise<Found> {
  const files: FoundFile[] = [];
  let size = 0;
  let listed = 0;
  const add = async (name: string): Promise<boolean> => {
    const info = await stat(path.join(folder, name)).catch(() => null);
    if (info?.isFile() !== true) return true;
    size += info.size;
    if (size > mostBytes) return false;
    const bytes = await readFile(path.join(folder, name));
    files.push({ path: name, executable: (info.mode & 0o111) !== 0, bytes });
    return true;
  };
  const enter = async (name: string, left: number): Promise<boolean> =>
    left === 0 || path.basename(name) === '.git' || walk(name, left);
  /** False once there is too much. */
  const walk = async (at: string, left: number): Promise<boolean> => {
    const entries = await readdir(path.join(folder, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`;
      listed += 1;
      if (listed > mostFiles) return false;
      if (!(entry.isDirectory() ? await enter(name, left - 1) : await add(name))) return false;
    }
    return true;
  };
  try {
    return (await walk('', deepest)) ? { files, problems: [] } : { problem: tooMany(shown) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return { problem: `The toolbox folder ${shown} is left out: it cannot be read (${code}).` };
  }
}

const tooMany = (shown: string): string =>
  `The toolbox folder ${shown} is left out: it has more than ${mostFiles} files or ${mostBytes} bytes. Keep programs in a folder of their own.`;

const isScript = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === '#!';

/** Each part with its length, so that no two folders are the same text. */
function addTo(hash: Hash, { path: name, executable, bytes }: FoundFile): void {
  hash.update(`${name.length} ${name} ${executable ? 'x' : '-'} ${bytes.length}\n`).update(bytes);
}
