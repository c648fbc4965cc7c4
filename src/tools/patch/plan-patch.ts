import { createHash } from 'node:crypto';
import { isAbsolute, posix } from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import type { Targets } from '../../permissions/policy/policy.ts';
import { isBinary } from '../../workspace/files/is-binary.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { decodeTextFile, encodeTextFile } from '../text/text-file.ts';
import { changedPlaces } from '../write/changed-places.ts';
import { editEffort } from '../write/edit-effort.ts';
import type { ProposedFile } from '../write/proposed-change.ts';
import { type CurrentFile, readForChange } from '../write/read-for-change.ts';
import { applyHunks } from './apply-hunks.ts';
import type { FilePatch, LocateHunk } from './file-patch.ts';

/** The new files of a patch, and a step per file for the message. */
interface PlannedPatch {
  readonly files: readonly ProposedFile[];
  readonly steps: readonly string[];
}

interface Entry {
  readonly before: CurrentFile | null;
  after: CurrentFile | null;
  setsMode: boolean;
}

/**
 * Plans a whole patch against the tree, file by file, so that later parts see the result of earlier
 * ones. Nothing is written; throws a `ToolError` for the first part that does not fit. `locate`
 * finds the hunks' locations. Default: leniently.
 */
export async function planPatch(
  workspace: Workspace,
  patches: readonly FilePatch[],
  locate?: LocateHunk,
): Promise<PlannedPatch> {
  const tree = new Map<string, Entry>();
  const plan: Plan = { workspace, tree, vacated: vacatedBy(patches, workspace), locate };
  const steps: string[] = [];
  const effort = editEffort();
  for (const patch of patches) {
    const path = workspace.files.relative(patch.path);
    const again = tree.has(path);
    const entry = await entryOf(path, plan);
    if (again) effort(path, entry.after?.content.length ?? 0);
    if (patch.kind === 'add') {
      addFile(path, patch, entry);
      steps.push(`added ${path}`);
    } else if (patch.kind === 'delete') {
      deleteFile(path, patch, existing(workspace, path, entry), entry);
      steps.push(`deleted ${path}`);
    } else {
      steps.push(await updateFile(path, patch, entry, plan));
    }
  }
  const folders = new Set<string>();
  for (const [path, entry] of tree) if (entry.after !== null) await refuseBelowFile(path, plan, folders);
  return { files: proposedFiles(tree), steps };
}

/** A patch in progress: the files touched so far, by path. */
interface Plan {
  readonly workspace: Workspace;
  readonly tree: Map<string, Entry>;
  /** Paths that the patch moves away. */
  readonly vacated: ReadonlySet<string>;
  readonly locate: LocateHunk | undefined;
}

type Update = Extract<FilePatch, { kind: 'update' }>;

function vacatedBy(patches: readonly FilePatch[], { files }: Workspace): ReadonlySet<string> {
  const moved = patches.filter((patch) => patch.kind === 'update' && patch.to !== null && !patch.copy);
  return new Set(moved.map(({ path }) => files.relative(path)));
}

async function entryOf(path: string, { workspace, tree }: Plan): Promise<Entry> {
  const known = tree.get(path);
  if (known !== undefined) return known;
  const before = await readForChange(workspace, path);
  workspace.memory.check(path, before?.content ?? null, 'text');
  const entry: Entry = { before, after: before, setsMode: false };
  tree.set(path, entry);
  return entry;
}

/**
 * Refuses a file below another file, whether existing, new, or deleted by the patch. `folders` are
 * those found to be none, each with all above it.
 */
async function refuseBelowFile(path: string, { workspace, tree }: Plan, folders: Set<string>): Promise<void> {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const above = path.slice(0, at);
    if (folders.has(above)) return;
    const kind = tree.has(above) ? 'file' : (await workspace.files.stat(above))?.kind;
    if (kind === 'file' || kind === 'other')
      throw new ToolError('not_a_directory', `${path} lies below ${above}, which is not a directory.`);
    folders.add(above);
  }
}

async function updateFile(path: string, patch: Update, entry: Entry, plan: Plan): Promise<string> {
  const { workspace } = plan;
  const current =
    isCreation(patch) && entry.after === null ? emptyFile : sourceOf(workspace, path, patch, entry);
  const after = updated(path, patch, current, plan);
  const to = patch.to === null ? path : workspace.files.relative(patch.to);
  if (to === path) {
    entry.after = after;
    entry.setsMode ||= patch.mode !== null;
    return current === emptyFile ? `added ${path}` : `changed ${path} (${count(patch.hunks.length)})`;
  }
  const target = await entryOf(to, plan);
  if (target.after !== null && !patch.overwrite && !plan.vacated.has(to)) {
    throw new ToolError('invalid_patch', `${to} exists already, so ${path} cannot be moved there.`);
  }
  target.after = after;
  target.setsMode = true;
  if (patch.copy) return `copied ${path} to ${to}`;
  // Another file may have been moved here in the meantime.
  if (entry.after === current) entry.after = null;
  return `moved ${path} to ${to}`;
}

/** Returns a file with the hunks and the mode of an update. */
function updated(path: string, patch: Update, current: CurrentFile, { locate }: Plan): CurrentFile {
  const mode = patch.mode ?? current.mode;
  if (patch.hunks.length === 0) return { content: current.content, mode };
  const exact = isPreimage(current.content, patch.preimage);
  const file = decodeTextFile(path, current.content);
  const text = applyHunks(path, file, patch.hunks, { exact, locate });
  return { content: encodeTextFile(path, text), mode };
}

/** True if git gives a content this name (gitformat-pack(5), "blob"), in either of its hashes. */
function isPreimage(content: Buffer, name: string | null): boolean {
  if (name === null) return false;
  const hashes = name.length > 40 ? ['sha256'] : ['sha1', 'sha256'];
  return hashes.some((hash) =>
    createHash(hash).update(`blob ${content.length}\0`).update(content).digest('hex').startsWith(name),
  );
}

const emptyFile: CurrentFile = { content: Buffer.alloc(0), mode: 0o644 };

/** True for `@@ -0,0 +1,3 @@`, which creates a missing file in a plain diff without /dev/null. */
function isCreation(patch: Update): boolean {
  return patch.to === null && patch.hunks.every((hunk) => hunk.line === 0);
}

/**
 * Returns the source of an update. Git's renames and copies take the original file, so that two
 * files can swap.
 */
function sourceOf(workspace: Workspace, path: string, patch: Update, entry: Entry): CurrentFile {
  if (patch.to !== null && !patch.overwrite && entry.before !== null) return entry.before;
  return existing(workspace, path, entry);
}

function existing(workspace: Workspace, path: string, entry: Entry): CurrentFile {
  if (entry.after !== null) return entry.after;
  if (entry.before === null) throw workspace.files.missing(path);
  throw new ToolError('not_found', `${path} was deleted or moved by an earlier part of this patch.`);
}

function addFile(path: string, patch: Extract<FilePatch, { kind: 'add' }>, entry: Entry): void {
  if (entry.after !== null) {
    throw new ToolError('file_exists', `${path} exists already. Update it instead, or delete it first.`);
  }
  entry.after = { content: Buffer.from(patch.content), mode: patch.mode ?? 0o644 };
  entry.setsMode = patch.mode !== null;
}

function deleteFile(
  path: string,
  patch: Extract<FilePatch, { kind: 'delete' }>,
  current: CurrentFile,
  entry: Entry,
): void {
  if (patch.hunks.length > 0) {
    const rest = applyHunks(path, decodeTextFile(path, current.content), patch.hunks);
    if (rest.text !== '') {
      throw new ToolError(
        'invalid_patch',
        `${path} is to be deleted, but has more lines than the patch takes away.`,
      );
    }
  }
  entry.after = null;
}

function proposedFiles(tree: ReadonlyMap<string, Entry>): ProposedFile[] {
  const changed = [...tree].filter(([, entry]) => !same(entry));
  return changed.map(([path, { before, after, setsMode }]) => ({ path, before, after, setsMode }));
}

function same({ before, after, setsMode }: Entry): boolean {
  if (before === null || after === null) return before === after;
  return before.content.equals(after.content) && (!setsMode || before.mode === after.mode);
}

function count(hunks: number): string {
  return hunks === 1 ? '1 hunk' : `${hunks} hunks`;
}

/** Returns the patches with workspace paths, and their targets: each path once, for writing. */
export function patchTargets(
  patches: readonly FilePatch[],
  workdir: string | undefined,
): { readonly patches: readonly FilePatch[]; readonly targets: Targets } {
  const placed = workdir === undefined ? patches : patches.map((patch) => below(workdir, patch));
  const paths = [...new Set(placed.flatMap((patch) => pathsOf(patch)))];
  return {
    patches: placed,
    targets: { what: paths.join(', '), paths: paths.map((path) => ({ path, access: 'write' as const })) },
  };
}

function below(workdir: string, patch: FilePatch): FilePatch {
  const join = (path: string): string => (isAbsolute(path) ? path : posix.join(workdir, path));
  return patch.kind === 'update' && patch.to !== null
    ? { ...patch, path: join(patch.path), to: join(patch.to) }
    : { ...patch, path: join(patch.path) };
}

function pathsOf(patch: FilePatch): string[] {
  return patch.kind === 'update' && patch.to !== null ? [patch.path, patch.to] : [patch.path];
}

/** Maximum files displayed. */
const mostFiles = 5;

/**
 * Renders the changed lines of the files in `paths` (old or new path) below a patch's message.
 * Empty for none.
 */
export function changedFiles(files: readonly ProposedFile[], paths: ReadonlySet<string>): string {
  const named = files.filter(
    ({ path, oldPath }) => paths.has(path) || (oldPath !== undefined && paths.has(oldPath)),
  );
  const shown = named.slice(0, mostFiles).flatMap(({ path, before, after }) => {
    if (before === null || after === null || isBinary(after.content)) return [];
    const places = changedPlaces(before.content.toString('utf8'), after.content.toString('utf8'));
    return places === '' ? [] : [`${path}:\n${places}`];
  });
  const rest = named.length > mostFiles ? [`[${named.length - mostFiles} more files]`] : [];
  return [...shown, ...rest].map((part) => `\n${part}`).join('');
}
