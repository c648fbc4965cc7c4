import type { HeldChange, SeenChange } from '../permissions/judge-changes.ts';
import type { ChangeJudge } from './change-ledger.ts';
import type { OwnGit } from './own-git.ts';
import { type KeptEntry, putBack } from './put-back.ts';
import type { RawChange } from './raw-diff.ts';
import { runGit } from './run-git.ts';
import type { RunTrees } from './run-trees.ts';
import { diffTrees, isBinaryPatch, type TreeDiff } from './tree-diff.ts';
import { maxDiffBytes } from './unified-diff.ts';

/** How often what may not stand is put back in one look: something that still runs may write it again at once. */
const ROUNDS = 3;

const SUBMODULE = '160000';

/**
 * Puts back what `judge` holds of the changes between two trees, and returns the tree that came of it. What cannot be
 * put back is in no tree that is looked at later, so that the next look finds it again.
 */
export async function heldBack(
  look: {
    readonly root: string;
    readonly trees: RunTrees;
    readonly from: string;
    readonly to: string;
    /** How `from` differs from another tree; left out, git is asked. */
    readonly diff?: (to: string) => Promise<TreeDiff>;
  },
  judge: ChangeJudge,
): Promise<string> {
  const { root, trees, from } = look;
  const told = new Map<string, HeldChange>();
  let to = look.to;
  let stuck: KeptEntry[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const leftOut = await trees.leftOut();
    stuck = [];
    if (from === to && leftOut.length === 0) break;
    const git = await trees.git();
    const diff = await (look.diff?.(to) ?? diffTrees(git, from, to));
    const found = await heldOf(git, from, diff, leftOut, judge);
    for (const one of found.held) told.set(one.path, one);
    stuck = found.kept;
    if (stuck.length === 0 || round === ROUNDS) break;
    await putBack(root, git, stuck);
    to = await trees.take();
  }
  if (told.size === 0) return to;
  const still = new Set(stuck.map(({ path }) => path));
  const all = [...told.values()];
  judge.tell(
    all.filter(({ path }) => !still.has(path)),
    all.filter(({ path }) => still.has(path)),
  );
  return stuck.length === 0 ? to : trees.without(stuck);
}

/** What is held of the changes, and what the paths are to be again; a rename is one change of two paths. */
async function heldOf(
  git: OwnGit,
  from: string,
  { changes, patches }: TreeDiff,
  leftOut: readonly string[],
  judge: ChangeJudge,
): Promise<{ readonly held: readonly HeldChange[]; readonly kept: KeptEntry[] }> {
  const seen = changes.flatMap((change, at) => seenOf(change, patches[at] ?? ''));
  const named = new Set(seen.map(({ path }) => path));
  const large = leftOut.filter((path) => !named.has(path));
  for (const path of large) seen.push({ path, kind: 'modify', diff: '' });
  const held = await judge.judge(seen);
  const paths = new Set(held.map(({ path }) => path));
  const kept = new Map<string, KeptEntry>();
  for (const change of changes) {
    const { path, oldPath, oldMode, newMode, oldObject, kind } = change;
    if (oldMode === SUBMODULE || newMode === SUBMODULE) continue;
    if (!paths.has(path) && (oldPath === null || !paths.has(oldPath))) continue;
    const before = { mode: oldMode, object: oldObject };
    kept.set(path, { path, entry: kind === 'add' || oldPath !== null ? null : before });
    if (oldPath !== null) kept.set(oldPath, { path: oldPath, entry: before });
  }
  for (const path of large.filter((one) => paths.has(one)))
    kept.set(path, { path, entry: await entryAt(git, from, path) });
  // A submodule is no file to put back; the publisher takes none.
  return { held: held.filter(({ path }) => kept.has(path)), kept: [...kept.values()] };
}

function seenOf({ path, oldPath, kind }: RawChange, patch: string): SeenChange[] {
  const diff = isBinaryPatch(patch) || Buffer.byteLength(patch) > maxDiffBytes ? '' : patch;
  if (kind !== 'rename' || oldPath === null) return [{ path, kind: kind === 'rename' ? 'add' : kind, diff }];
  return [
    { path: oldPath, kind: 'delete', diff },
    { path, kind: 'add', diff },
  ];
}

/** A path in a tree; null where it is not in it. */
async function entryAt(git: OwnGit, tree: string, path: string): Promise<KeptEntry['entry']> {
  const { stdout } = await runGit(['--literal-pathspecs', 'ls-tree', '-z', tree, '--', path], git);
  const [, mode, object] = /^(\d{6}) blob ([0-9a-f]+)\t/.exec(stdout.toString('utf8')) ?? [];
  return mode === undefined || object === undefined ? null : { mode, object };
}
