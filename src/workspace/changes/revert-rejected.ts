import type { HeldChange, SeenChange } from '../../permissions/gate/judge-changes.ts';
import { namesByLinks, type ProtectedLink } from '../../permissions/tree/protected-links.ts';
import type { OwnGit } from '../git/own-git.ts';
import type { RawChange } from '../git/raw-diff.ts';
import { runGit } from '../git/run-git.ts';
import { diffTrees, isBinaryPatch, type TreeDiff } from '../git/tree-diff.ts';
import { shownName } from '../git/tree-names.ts';
import type { ChangeJudge } from './change-ledger.ts';
import type { NameChange } from './name-guard.ts';
import { type KeptEntry, putBack } from './restore-entries.ts';
import type { RunTrees } from './run-trees.ts';
import { maxDiffBytes } from './unified-diff.ts';

/** Revert attempts per look: a running process may write a rejected change again at once. */
const ROUNDS = 3;

const SUBMODULE = '160000';

/** Rejected changes of one look. */
interface Held {
  readonly held: readonly HeldChange[];
  readonly kept: readonly KeptEntry[];
  /** Names that git does not have and whose previous state is unknown. */
  readonly lost: readonly string[];
}

/**
 * Reverts the changes between two trees, and of sensitive names, that `judge` rejects. Returns the
 * resulting tree. What cannot be reverted is left out of every tree compared later, so the next
 * look finds it again.
 */
export async function heldBack(
  look: {
    readonly root: string;
    readonly trees: RunTrees;
    readonly from: string;
    readonly to: string;
    /** Diff from `from` to another tree. Default: asks git. */
    readonly diff?: (to: string) => Promise<TreeDiff>;
  },
  judge: ChangeJudge,
): Promise<string> {
  const { root, trees, from } = look;
  const told = new Map<string, HeldChange>();
  let to = look.to;
  let stuck: readonly KeptEntry[] = [];
  let lost: readonly string[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const leftOut = await trees.leftOut();
    const names = trees.names();
    const odd = names.filter((one) => one.odd !== null).map(heldAsOdd);
    for (const one of odd) told.set(one.path, one);
    const matter = names.filter(({ odd }) => odd === null);
    stuck = [];
    if (from === to && leftOut.length === 0 && matter.length === 0) break;
    const links = trees.links();
    const git = await trees.git();
    const diff = await (look.diff?.(to) ?? diffTrees(git, from, to));
    const found = await heldOf({ git, from, diff, leftOut, names: matter, links }, judge);
    for (const one of found.held) told.set(one.path, one);
    stuck = found.kept;
    lost = found.lost;
    if (stuck.length === 0 || round === ROUNDS) break;
    await putBack(root, await trees.git(), stuck);
    to = await trees.take();
  }
  trees.acceptNames(new Set([...stuck.map(({ path }) => path), ...lost]));
  if (told.size === 0) return to;
  const still = new Set([...stuck.map(({ path }) => shownName(path)), ...lost.map(shownName)]);
  tellApart(told, still, judge);
  const inTree = stuck.filter(isInTree);
  return inTree.length === 0 ? to : trees.without(inTree);
}

/**
 * Reverts the sensitive names that `judge` rejects by their stored state alone. Used when git
 * failed, so that no failure leaves one as a command wrote it.
 */
export async function namesHeldBack(
  { root, trees }: { readonly root: string; readonly trees: RunTrees },
  judge: ChangeJudge,
): Promise<void> {
  const git = await trees.git();
  const told = new Map<string, HeldChange>();
  let left: ReadonlySet<string> = new Set();
  for (let round = 0; round <= ROUNDS; round += 1) {
    const names = (await trees.lookAtNames()).filter(({ odd }) => odd === null);
    const look = {
      git,
      from: '',
      diff: { changes: [], patches: [], patch: '' },
      leftOut: [],
      links: trees.links(),
    };
    const { held, kept, lost } = await heldOf({ ...look, names }, judge);
    for (const one of held) told.set(one.path, one);
    left = new Set([...kept.map(({ path }) => shownName(path)), ...lost.map(shownName)]);
    if (kept.length === 0 || round === ROUNDS) break;
    await putBack(root, git, kept);
  }
  if (told.size > 0) tellApart(told, left, judge);
}

/** Reports the rejected changes: those that were reverted, and those that are `left`. */
function tellApart(
  told: ReadonlyMap<string, HeldChange>,
  left: ReadonlySet<string>,
  judge: ChangeJudge,
): void {
  const all = [...told.values()];
  judge.tell(
    all.filter(({ path }) => !left.has(path)),
    all.filter(({ path }) => left.has(path)),
  );
}

/** True for an entry that a tree can have: no folder, and known by git's object. */
function isInTree({ entry, whole }: KeptEntry): boolean {
  return whole !== true && (entry === null || 'object' in entry);
}

function heldAsOdd({ path, odd }: NameChange): HeldChange {
  const shown = shownName(path);
  return {
    path: shown,
    reason: `\`${shown}\` ${odd}, and git and searches open it by themselves.`,
    short: 'odd file',
  };
}

/**
 * Collects the rejected changes and the entries that revert them. A rename is one change of two
 * paths.
 */
async function heldOf(
  look: {
    readonly git: OwnGit;
    readonly from: string;
    readonly diff: TreeDiff;
    readonly leftOut: readonly string[];
    readonly names: readonly NameChange[];
    readonly links: readonly ProtectedLink[];
  },
  judge: ChangeJudge,
): Promise<Held> {
  const { git, from } = look;
  const { changes, patches } = look.diff;
  const inDiff = changes.flatMap((change, at) => seenOf(change, patches[at] ?? ''));
  const named = new Set(inDiff.map(({ path }) => path));
  const large = look.leftOut.filter((path) => !named.has(shownName(path)));
  const names = look.names.filter(({ path }) => !named.has(shownName(path)) && !look.leftOut.includes(path));
  const seen: SeenChange[] = [
    ...inDiff,
    ...large.map((path) => ({ path: shownName(path), kind: 'modify' as const, diff: '' })),
    ...names.map(({ path, kind, link }) => ({
      ...{ path: shownName(path), kind, diff: '' },
      ...(link ? { link } : {}),
    })),
  ];
  const held = [...(await judge.judge(seen.map((one) => byLinks(one, look.links)))), ...nameless(changes)];
  const paths = new Set(held.map(({ path }) => path));
  const kept = new Map<string, KeptEntry>();
  const modes = new Map(look.names.map(({ path, before }) => [path, before?.permissions]));
  for (const change of changes)
    for (const one of keptOf(change, paths)) kept.set(one.path, { ...one, permissions: modes.get(one.path) });
  for (const path of large.filter((one) => paths.has(shownName(one))))
    kept.set(path, { path, entry: await entryAt(git, from, path) });
  const rejected = names.filter((one) => paths.has(shownName(one.path)));
  const { lost, silent } = keepNames(rejected, { seen, paths, changes }, kept);
  // Submodules cannot be reverted here; the publisher accepts none.
  const known = new Set([...kept.keys(), ...lost].map(shownName));
  const told = held.filter(({ path }) => known.has(path) && !silent.has(path));
  return { held: told, kept: [...kept.values()], lost };
}

/**
 * Adds the entries that revert rejected names to `kept`. Returns the names that cannot be restored
 * and those that need no report, since their contents are reported.
 */
function keepNames(
  rejected: readonly NameChange[],
  {
    seen,
    paths,
    changes,
  }: {
    readonly seen: readonly SeenChange[];
    readonly paths: ReadonlySet<string>;
    readonly changes: readonly RawChange[];
  },
  kept: Map<string, KeptEntry>,
): { readonly lost: readonly string[]; readonly silent: ReadonlySet<string> } {
  const lost: string[] = [];
  const folders: string[] = [];
  const silent = new Set<string>();
  /** False if some contents of a folder are accepted. */
  const isWhole = (path: string) =>
    seen.every((one) => !one.path.startsWith(`${shownName(path)}/`) || paths.has(one.path));
  for (const { path, before, kind } of rejected) {
    if (folders.some((folder) => path.startsWith(`${folder}/`))) continue;
    if (before === null) lost.push(path);
    else if (before.whole !== true) kept.set(path, before);
    else if (isWhole(path)) {
      if (changes.some((one) => one.path.startsWith(`${path}/`))) silent.add(shownName(path));
      if (kind === 'add') folders.push(path);
      kept.set(path, before);
    }
  }
  return { lost, silent };
}

/** Returns the entries that revert a change, if one of its paths is rejected. */
function keptOf(
  { path, oldPath, oldMode, newMode, oldObject, kind }: RawChange,
  held: ReadonlySet<string>,
): KeptEntry[] {
  if (oldMode === SUBMODULE || newMode === SUBMODULE) return [];
  if (!held.has(shownName(path)) && (oldPath === null || !held.has(shownName(oldPath)))) return [];
  const before = { mode: oldMode, object: oldObject };
  const now: KeptEntry = { path, entry: kind === 'add' || oldPath !== null ? null : before };
  return oldPath === null ? [now] : [now, { path: oldPath, entry: before }];
}

/**
 * Rejects names that are not UTF-8: GitHub accepts none, and in a pattern each byte could be
 * anything.
 */
function nameless(changes: readonly RawChange[]): HeldChange[] {
  return changes
    .filter(({ path, kind }) => !path.isWellFormed() && kind !== 'delete')
    .map(({ path }) => shownName(path))
    .map((path) => ({ path, reason: `The name of \`${path}\` is not UTF-8.`, short: 'not UTF-8' }));
}

function byLinks(seen: SeenChange, links: readonly ProtectedLink[]): SeenChange {
  const also = namesByLinks(seen.path, links);
  return also.length === 0 ? seen : { ...seen, also };
}

function seenOf({ path, oldPath, kind, newMode }: RawChange, patch: string): SeenChange[] {
  const diff = isBinaryPatch(patch) || Buffer.byteLength(patch) > maxDiffBytes ? '' : patch;
  const now = shownName(path);
  const link = newMode === '120000' ? { link: true as const } : {};
  if (kind !== 'rename' || oldPath === null)
    return [{ path: now, kind: kind === 'rename' ? 'add' : kind, diff, ...link }];
  return [
    { path: shownName(oldPath), kind: 'delete', diff },
    { path: now, kind: 'add', diff, ...link },
  ];
}

/** Returns the entry of a path in a tree; null if absent. */
async function entryAt(git: OwnGit, tree: string, path: string): Promise<KeptEntry['entry']> {
  if (!path.isWellFormed()) return null;
  const { stdout } = await runGit(['--literal-pathspecs', 'ls-tree', '-z', tree, '--', path], git);
  const [, mode, object] = /^(\d{6}) blob ([0-9a-f]+)\t/.exec(stdout.toString('utf8')) ?? [];
  return mode === undefined || object === undefined ? null : { mode, object };
}
