import type { RejectedChange, SeenChange } from '../../permissions/gate/evaluate-changes.ts';
import { namesByLinks, type ProtectedLink } from '../../permissions/tree/protected-links.ts';
import type { OwnGit } from '../git/own-git.ts';
import type { RawChange } from '../git/raw-diff.ts';
import { runGit } from '../git/run-git.ts';
import { diffTrees, isBinaryPatch, type TreeDiff } from '../git/tree-diff.ts';
import { printableName } from '../git/tree-names.ts';
import type { ChangeEvaluator } from './change-ledger.ts';
import type { NameChange } from './name-guard.ts';
import { restoreEntries, type SavedEntry } from './restore-entries.ts';
import type { RunTrees } from './run-trees.ts';
import { maxDiffBytes } from './unified-diff.ts';

/** Revert attempts per look: a running process may write a rejected change again at once. */
const ROUNDS = 3;

const SUBMODULE = '160000';

/** Rejected changes of one look. */
interface Rejected {
  readonly rejected: readonly RejectedChange[];
  readonly entries: readonly SavedEntry[];
  /** Names that git does not have and whose previous state is unknown. */
  readonly lost: readonly string[];
}

/**
 * Reverts the changes between two trees, and of sensitive names, that `evaluator` rejects. Returns
 * the resulting tree. What cannot be reverted is omitted from every tree compared later, so the
 * next observation finds it again.
 */
export async function revertRejected(
  look: {
    readonly root: string;
    readonly trees: RunTrees;
    readonly from: string;
    readonly to: string;
    /** Diff from `from` to another tree. Default: asks git. */
    readonly diff?: (to: string) => Promise<TreeDiff>;
  },
  evaluator: ChangeEvaluator,
): Promise<string> {
  const { root, trees, from } = look;
  const reported = new Map<string, RejectedChange>();
  let to = look.to;
  let stuck: readonly SavedEntry[] = [];
  let lost: readonly string[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const omitted = await trees.omitted();
    const names = trees.names();
    const odd = names.filter((one) => one.odd !== null).map(rejectedAsOdd);
    for (const one of odd) reported.set(one.path, one);
    const sensitive = names.filter(({ odd }) => odd === null);
    stuck = [];
    if (from === to && omitted.length === 0 && sensitive.length === 0) break;
    const links = trees.links();
    const git = await trees.git();
    const diff = await (look.diff?.(to) ?? diffTrees(git, from, to));
    const found = await findRejected({ git, from, diff, omitted, names: sensitive, links }, evaluator);
    for (const one of found.rejected) reported.set(one.path, one);
    stuck = found.entries;
    lost = found.lost;
    if (stuck.length === 0 || round === ROUNDS) break;
    await restoreEntries(root, await trees.git(), stuck);
    to = await trees.take();
  }
  trees.acceptNames(new Set([...stuck.map(({ path }) => path), ...lost]));
  if (reported.size === 0) return to;
  const still = new Set([...stuck.map(({ path }) => printableName(path)), ...lost.map(printableName)]);
  reportRejected(reported, still, evaluator);
  const inTree = stuck.filter(isInTree);
  return inTree.length === 0 ? to : trees.without(inTree);
}

/**
 * Reverts the sensitive names that `evaluator` rejects from their stored state only. Used when git
 * failed, so that no failure leaves one as a command wrote it.
 */
export async function revertRejectedNames(
  { root, trees }: { readonly root: string; readonly trees: RunTrees },
  evaluator: ChangeEvaluator,
): Promise<void> {
  const git = await trees.git();
  const reported = new Map<string, RejectedChange>();
  let left: ReadonlySet<string> = new Set();
  for (let round = 0; round <= ROUNDS; round += 1) {
    const names = (await trees.scanNames()).filter(({ odd }) => odd === null);
    const look = {
      git,
      from: '',
      diff: { changes: [], patches: [], patch: '' },
      omitted: [],
      links: trees.links(),
    };
    const { rejected, entries, lost } = await findRejected({ ...look, names }, evaluator);
    for (const one of rejected) reported.set(one.path, one);
    left = new Set([...entries.map(({ path }) => printableName(path)), ...lost.map(printableName)]);
    if (entries.length === 0 || round === ROUNDS) break;
    await restoreEntries(root, git, entries);
  }
  if (reported.size > 0) reportRejected(reported, left, evaluator);
}

/** Reports the rejected changes: those that were reverted, and those that are `left`. */
function reportRejected(
  reported: ReadonlyMap<string, RejectedChange>,
  left: ReadonlySet<string>,
  evaluator: ChangeEvaluator,
): void {
  const all = [...reported.values()];
  evaluator.report(
    all.filter(({ path }) => !left.has(path)),
    all.filter(({ path }) => left.has(path)),
  );
}

/** True for an entry that a tree can have: no folder, and known by git's object. */
function isInTree({ entry, whole }: SavedEntry): boolean {
  return whole !== true && (entry === null || 'object' in entry);
}

function rejectedAsOdd({ path, odd }: NameChange): RejectedChange {
  const printable = printableName(path);
  return {
    path: printable,
    reason: `\`${printable}\` ${odd}, and git and searches open it by themselves.`,
    short: 'odd file',
  };
}

/**
 * Collects the rejected changes and the entries that revert them. A rename is one change of two
 * paths.
 */
async function findRejected(
  look: {
    readonly git: OwnGit;
    readonly from: string;
    readonly diff: TreeDiff;
    readonly omitted: readonly string[];
    readonly names: readonly NameChange[];
    readonly links: readonly ProtectedLink[];
  },
  evaluator: ChangeEvaluator,
): Promise<Rejected> {
  const { git, from } = look;
  const { changes, patches } = look.diff;
  const inDiff = changes.flatMap((change, at) => seenOf(change, patches[at] ?? ''));
  const named = new Set(inDiff.map(({ path }) => path));
  const large = look.omitted.filter((path) => !named.has(printableName(path)));
  const names = look.names.filter(
    ({ path }) => !named.has(printableName(path)) && !look.omitted.includes(path),
  );
  const seen: SeenChange[] = [
    ...inDiff,
    ...large.map((path) => ({ path: printableName(path), kind: 'modify' as const, diff: '' })),
    ...names.map(({ path, kind, link }) => ({
      path: printableName(path),
      kind,
      diff: '',
      link: link || undefined,
    })),
  ];
  const rejected = [
    ...(await evaluator.evaluate(seen.map((one) => byLinks(one, look.links)))),
    ...nameless(changes),
  ];
  const paths = new Set(rejected.map(({ path }) => path));
  const entries = new Map<string, SavedEntry>();
  const modes = new Map(look.names.map(({ path, before }) => [path, before?.permissions]));
  for (const change of changes)
    for (const one of revertingEntries(change, paths))
      entries.set(one.path, { ...one, permissions: modes.get(one.path) });
  for (const path of large.filter((one) => paths.has(printableName(one))))
    entries.set(path, { path, entry: await entryAt(git, from, path) });
  const rejectedNames = names.filter((one) => paths.has(printableName(one.path)));
  const { lost, silent } = addNameEntries(rejectedNames, { seen, paths, changes }, entries);
  // Submodules cannot be reverted here; the publisher accepts none.
  const revertible = new Set([...entries.keys(), ...lost].map(printableName));
  const reported = rejected.filter(({ path }) => revertible.has(path) && !silent.has(path));
  return { rejected: reported, entries: [...entries.values()], lost };
}

/**
 * Adds the entries that revert rejected names to `entries`. Returns the names that cannot be
 * restored, and those that need no report, since their contents are reported.
 */
function addNameEntries(
  rejectedNames: readonly NameChange[],
  {
    seen,
    paths,
    changes,
  }: {
    readonly seen: readonly SeenChange[];
    readonly paths: ReadonlySet<string>;
    readonly changes: readonly RawChange[];
  },
  entries: Map<string, SavedEntry>,
): { readonly lost: readonly string[]; readonly silent: ReadonlySet<string> } {
  const lost: string[] = [];
  const folders: string[] = [];
  const silent = new Set<string>();
  /** False if some contents of a folder are accepted. */
  const isWhole = (path: string) =>
    seen.every((one) => !one.path.startsWith(`${printableName(path)}/`) || paths.has(one.path));
  for (const { path, before, kind } of rejectedNames) {
    if (folders.some((folder) => path.startsWith(`${folder}/`))) continue;
    if (before === null) lost.push(path);
    else if (before.whole !== true) entries.set(path, before);
    else if (isWhole(path)) {
      if (changes.some((one) => one.path.startsWith(`${path}/`))) silent.add(printableName(path));
      if (kind === 'add') folders.push(path);
      entries.set(path, before);
    }
  }
  return { lost, silent };
}

/** Returns the entries that revert a change, if one of its paths is rejected. */
function revertingEntries(
  { path, oldPath, oldMode, newMode, oldObject, kind }: RawChange,
  rejected: ReadonlySet<string>,
): SavedEntry[] {
  if (oldMode === SUBMODULE || newMode === SUBMODULE) return [];
  if (!rejected.has(printableName(path)) && (oldPath === null || !rejected.has(printableName(oldPath))))
    return [];
  const before = { mode: oldMode, object: oldObject };
  const now: SavedEntry = { path, entry: kind === 'add' || oldPath !== null ? null : before };
  return oldPath === null ? [now] : [now, { path: oldPath, entry: before }];
}

/**
 * Rejects names that are not UTF-8: GitHub accepts none, and in a pattern each byte could be
 * anything.
 */
function nameless(changes: readonly RawChange[]): RejectedChange[] {
  return changes
    .filter(({ path, kind }) => !path.isWellFormed() && kind !== 'delete')
    .map(({ path }) => printableName(path))
    .map((path) => ({ path, reason: `The name of \`${path}\` is not UTF-8.`, short: 'not UTF-8' }));
}

function byLinks(seen: SeenChange, links: readonly ProtectedLink[]): SeenChange {
  const also = namesByLinks(seen.path, links);
  return also.length === 0 ? seen : { ...seen, also };
}

function seenOf({ path, oldPath, kind, newMode }: RawChange, patch: string): SeenChange[] {
  const diff = isBinaryPatch(patch) || Buffer.byteLength(patch) > maxDiffBytes ? '' : patch;
  const now = printableName(path);
  const link = newMode === '120000' || undefined;
  if (kind !== 'rename' || oldPath === null)
    return [{ path: now, kind: kind === 'rename' ? 'add' : kind, diff, link }];
  return [
    { path: printableName(oldPath), kind: 'delete', diff },
    { path: now, kind: 'add', diff, link },
  ];
}

/** Returns the entry of a path in a tree; null if absent. */
async function entryAt(git: OwnGit, tree: string, path: string): Promise<SavedEntry['entry']> {
  if (!path.isWellFormed()) return null;
  const { stdout } = await runGit(['--literal-pathspecs', 'ls-tree', '-z', tree, '--', path], git);
  const [, mode, object] = /^(\d{6}) blob ([0-9a-f]+)\t/.exec(stdout.toString('utf8')) ?? [];
  return mode === undefined || object === undefined ? null : { mode, object };
}
