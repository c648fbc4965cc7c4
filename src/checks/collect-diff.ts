import { isUtf8 } from 'node:buffer';
import { append } from '../contract/lists.ts';
import { setDiffAttribute } from '../workspace/git/own-attributes.ts';
import type { OwnGit } from '../workspace/git/own-git.ts';
import { parseRawDiff, type RawChange, splitByChange } from '../workspace/git/raw-diff.ts';
import { readObjects } from '../workspace/git/read-objects.ts';
import { runGit } from '../workspace/git/run-git.ts';
import type { ChangedFile, CheckedDiff } from './changed-file.ts';
import { isLockFile, lockFormats, lockPaths } from './lock-formats.ts';

/** Larger files are only measured; of all together no more is read. In bytes. */
const largestFile = 4 * 1024 * 1024;
const largestDiff = 64 * 1024 * 1024;
const mostFiles = 3000;
/** Bytes that identify the kind of a binary file. */
const headLength = 16;

/**
 * Collects the diff of two trees or commits for the checks. Attributes in the trees cannot declare
 * a file binary.
 */
export async function collectDiff(git: OwnGit, from: string, to: string): Promise<CheckedDiff> {
  const shape = ['diff-tree', '-r', '-M', '--no-ext-diff', '--no-textconv'];
  const raw = await runGit([...shape, '-z', '--raw', from, to], git);
  const all = parseRawDiff(raw.stdout.toString('latin1'));
  const notes: string[] = [];
  if (all.length > mostFiles)
    notes.push(`The checks looked at the first ${mostFiles} of ${all.length} changed files.`);
  const changes = all.slice(0, mostFiles);
  const sizes = await sizesOf(git, changes);
  const wanted = affordable(changes, sizes, notes);
  const [contents, added, neighbours] = await Promise.all([
    readObjects(git, wanted),
    addedLinesOf(git, [...shape, '-p', '-U0', from, to], all),
    readNeighbours(git, to, changes),
  ]);
  const files = changes.map((change, index): ChangedFile => {
    const side = (object: string) => contents.get(object) ?? null;
    const after = side(change.newObject);
    return {
      path: change.path,
      oldPath: change.oldPath,
      kind: change.kind,
      modes: { before: change.oldMode, after: change.newMode },
      bytes: { before: sizes.get(change.oldObject) ?? null, after: sizes.get(change.newObject) ?? null },
      before: textOf(side(change.oldObject)),
      after: textOf(after),
      binary: after === null || textOf(after) !== null ? null : after.subarray(0, headLength),
      added: added[index] ?? new Set(),
    };
  });
  return { files, neighbours, notes };
}

/**
 * Text as git takes it for: one byte of another encoding must not hide a file that GitHub shows.
 */
function textOf(bytes: Buffer | null): string | null {
  if (bytes === null || bytes.subarray(0, 8000).includes(0)) return null;
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

/** Objects of files and links; a submodule's is a commit of elsewhere, and zeros are nothing. */
function objectsOf({ oldMode, oldObject, newMode, newObject }: RawChange): string[] {
  return [
    ...(/^1[02]0/.test(oldMode) ? [oldObject] : []),
    ...(/^1[02]0/.test(newMode) ? [newObject] : []),
  ].filter((object) => !/^0+$/.test(object));
}

/** Sizes in bytes by object; missing objects are omitted. */
async function sizesOf(git: OwnGit, changes: readonly RawChange[]): Promise<Map<string, number>> {
  const objects = [...new Set(changes.flatMap(objectsOf))];
  if (objects.length === 0) return new Map();
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'];
  const { stdout } = await runGit(args, { ...git, stdin: `${objects.join('\n')}\n` });
  return new Map(
    stdout
      .toString('latin1')
      .split('\n')
      .flatMap((line) => {
        const [name = '', type, size] = line.split(' ');
        return type === 'blob' ? [[name, Number(size)] as const] : [];
      }),
  );
}

/** The objects that are read, in the order of the diff, as far as they fit. */
function affordable(
  changes: readonly RawChange[],
  sizes: ReadonlyMap<string, number>,
  notes: string[],
): string[] {
  const wanted: string[] = [];
  let left = largestDiff;
  let skipped = 0;
  for (const change of changes) {
    const own = objectsOf(change).filter(
      (object) => (sizes.get(object) ?? 0) <= largestFile && sizes.has(object),
    );
    const size = own.reduce((sum, object) => sum + (sizes.get(object) ?? 0), 0);
    if (size > left) {
      skipped += 1;
      continue;
    }
    left -= size;
    append(wanted, own);
  }
  if (skipped > 0)
    notes.push(`The checks did not look into ${skipped} changed files: the change is too large.`);
  return wanted;
}

/** For each change the numbers of the lines it brings, from the heads of the hunks. */
async function addedLinesOf(
  git: OwnGit,
  args: readonly string[],
  changes: readonly RawChange[],
): Promise<Set<number>[]> {
  // Above those of the trees (gitattributes): a file cannot declare itself to be none that is
  // shown.
  setDiffAttribute(git, '!diff');
  const { stdout } = await runGit(['-c', `core.bigFileThreshold=${largestFile}`, ...args], git);
  return splitByChange(stdout.toString('latin1'), changes).map((patch) => {
    const lines = new Set<number>();
    for (const [, start, count = '1'] of patch.matchAll(/\n@@ -\S+ \+(\d+)(?:,(\d+))? @@/g))
      for (let line = Number(start); line < Number(start) + Number(count); line += 1) lines.add(line);
    return lines;
  });
}

/** Lock files that belong to changed manifests, as the new side has them. */
async function readNeighbours(
  git: OwnGit,
  to: string,
  changes: readonly RawChange[],
): Promise<Map<string, string>> {
  const manifests = changes.filter(
    ({ path, kind }) => kind !== 'delete' && lockFormats.some((one) => one.manifest.test(path)),
  );
  const paths = [...new Set(manifests.flatMap((change) => lockPaths(change.path)))].slice(0, 500);
  if (paths.length === 0) return new Map();
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '-l', '--full-tree', to, '--', ...paths];
  const { stdout } = await runGit(args, git);
  const found = stdout
    .toString('utf8')
    .split('\0')
    .flatMap((entry) => {
      const [, object, size, name] = /^100\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(entry) ?? [];
      if (object === undefined || name === undefined || !isLockFile(name)) return [];
      return Number(size) > 4 * largestFile ? [] : [{ object, name }];
    });
  const contents = await readObjects(
    git,
    found.map(({ object }) => object),
  );
  return new Map(found.map(({ object, name }) => [name, contents.get(object)?.toString('utf8') ?? '']));
}
