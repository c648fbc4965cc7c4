import type { Change } from '../../contract/change.ts';
import { ToolError } from '../../contract/errors.ts';
import { append } from '../../contract/lists.ts';
import type { ConfinedFiles, FileWrite } from '../files/confined-files.ts';
import { gitMode } from '../git/git-mode.ts';
import type { RawChange } from '../git/raw-diff.ts';
import { hashObjects, readObjects } from '../git/read-objects.ts';
import { diffTrees, isBinaryPatch, type TreeDiff } from '../git/tree-diff.ts';
import { printableName } from '../git/tree-names.ts';
import { type BeforeImages, contentHash } from './before-images.ts';
import type { ChangeEvaluator, ChangeLedger } from './change-ledger.ts';
import { changeRisk, riskNeedsContent } from './change-risk.ts';
import type { RunTrees } from './run-trees.ts';
import type { KnownFile } from './snapshots.ts';
import { maxDiffBytes, unifiedDiffs } from './unified-diff.ts';

type By = { readonly tool: string; readonly callId: string };
type State = { readonly content: Buffer; readonly mode: number; readonly hash: string } | null;

const NEW_FILE_MODE = 0o644;
/** Maximum size of own writes in memory; beyond it they are moved into git. */
const MAX_WRITTEN_BYTES = 32 * 1024 * 1024;

/** One write with the state before it. */
interface Effect {
  readonly path: string;
  readonly before: State;
  readonly after: State;
}

function isChange({ before, after }: Effect): boolean {
  return before?.hash !== after?.hash || before?.mode !== after?.mode;
}

/** Pairs a deletion and an addition of the same content in one call into a rename. */
function pairRenames(effects: readonly Effect[]): (Effect & { oldPath?: string })[] {
  const gone = effects.filter(({ after }) => after === null);
  const taken = new Set<string>();
  const paired = effects.map((effect) => {
    if (effect.before !== null || effect.after === null) return effect;
    const source = gone.find(
      ({ path, before }) => before?.hash === effect.after?.hash && before !== null && !taken.has(path),
    );
    if (source === undefined) return effect;
    taken.add(source.path);
    return { ...effect, before: source.before, oldPath: source.path };
  });
  return paired.filter(({ path, after }) => after !== null || !taken.has(path));
}

function kindOf(effect: Effect & { oldPath?: string }): Change['kind'] {
  if (effect.oldPath !== undefined) return 'rename';
  if (effect.before === null) return 'add';
  return effect.after === null ? 'delete' : 'modify';
}

function entriesOf(effects: readonly (Effect & { oldPath?: string })[], by: By): Change[] {
  const diffs = unifiedDiffs(effects);
  return effects.map((effect, at) => entryOf(effect, diffs[at] ?? '', by));
}

function entryOf(effect: Effect & { oldPath?: string }, diff: string, by: By): Change {
  const { path, before, after, oldPath } = effect;
  const textOf = (state: State) =>
    riskNeedsContent(path) ? (state?.content.toString('utf8') ?? null) : null;
  const manifest = { before: textOf(before), after: textOf(after) };
  return {
    path,
    kind: kindOf(effect),
    old_path: oldPath,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    before_mode: before && gitMode(before.mode),
    after_mode: after && gitMode(after.mode),
    diff,
    risk: changeRisk(path, manifest),
    validation: 'unchecked',
    tool: by.tool,
    call_id: by.callId,
  };
}

/** Makes the ledger entry of a change that git found. Binary and very long diffs are left empty. */
function observedEntry(
  change: RawChange,
  patch: string,
  found: { hashes: Map<string, string>; manifests: Map<string, Buffer> },
  by: By,
): Change {
  const manifest = {
    before: found.manifests.get(change.oldObject)?.toString('utf8') ?? null,
    after: found.manifests.get(change.newObject)?.toString('utf8') ?? null,
  };
  return {
    path: printableName(change.path),
    kind: change.kind,
    old_path: change.oldPath === null ? undefined : printableName(change.oldPath),
    before: found.hashes.get(change.oldObject) ?? null,
    after: found.hashes.get(change.newObject) ?? null,
    before_mode: change.kind === 'add' ? null : change.oldMode,
    after_mode: change.kind === 'delete' ? null : change.newMode,
    diff: isBinaryPatch(patch) || Buffer.byteLength(patch) > maxDiffBytes ? '' : patch,
    risk: changeRisk(change.path, manifest),
    validation: 'unchecked',
    tool: by.tool,
    call_id: by.callId,
  };
}

interface LedgerParts {
  /** The work tree's real path. */
  readonly root: string;
  readonly files: ConfinedFiles;
  readonly trees: RunTrees;
  readonly images: BeforeImages;
}

/** Loads what reverts changes: not needed before the first call. */
const reverting = () => import('./revert-rejected.ts');

/**
 * The change ledger of one work tree. The before-image of a write is its content under `images`.
 * For the changes of a command it is a git object of the last snapshot, listed in the index of the
 * images. Calls run one after the other, so none sees another's changes as its own.
 */
export function createChangeLedger(parts: LedgerParts): ChangeLedger {
  const { root, trees } = parts;
  const writes = trackWrites(trees);
  let turn: Promise<unknown> = Promise.resolve();
  let due: (() => Promise<void>) | null = null;
  const changedPaths: string[] = [];
  /** Paths that the last look could not revert. */
  let stuck: readonly string[] = [];

  const trackingStuck = (evaluator: ChangeEvaluator): ChangeEvaluator => {
    stuck = [];
    return {
      evaluate: (changes) => evaluator.evaluate(changes),
      report(reverted, left) {
        stuck = left.map(({ path }) => path);
        evaluator.report(reverted, left);
      },
    };
  };

  /** Runs one call after the other and collects the changed paths. */
  async function inTurn(work: () => Promise<Change[]>): Promise<Change[]> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    const changes = await result;
    for (const { path, old_path: old } of changes)
      append(changedPaths, old === undefined ? [path] : [path, old]);
    return changes;
  }

  return {
    changedPaths,
    apply: (files, by) => inTurn(() => recordWrites(parts, writes, files, by)),
    observe: (by, evaluator) =>
      inTurn(async () => {
        try {
          const from = await writes.lastTree();
          return await recordObserved(parts, from, by, evaluator ? trackingStuck(evaluator) : null);
        } catch (error) {
          if (evaluator)
            await (await reverting()).revertRejectedNames({ root, trees }, trackingStuck(evaluator));
          throw error;
        }
      }),
    notReverted: () => [...stuck.map((path) => `\`${path}\``), ...trees.unseen()],
    observeLater(observation) {
      due = observation;
    },
    async observeDeferred() {
      const observation = due;
      due = null;
      await observation?.();
      return observation !== null;
    },
  };
}

/** Tracks our own writes since the last snapshot. */
function trackWrites(trees: RunTrees) {
  const written = new Map<string, KnownFile>();
  let bytes = 0;

  /** Returns the tree after our own last write. */
  async function lastTree(): Promise<string> {
    if (written.size === 0) return trees.latest();
    const tree = await trees.amend([...written.values()]);
    written.clear();
    bytes = 0;
    return tree;
  }

  return {
    lastTree,
    async add(effects: readonly Effect[]): Promise<void> {
      for (const { path, after } of effects) {
        const compared = { path, content: after?.content ?? null, mode: after?.mode ?? NEW_FILE_MODE };
        bytes += (compared.content?.length ?? 0) - (written.get(path)?.content?.length ?? 0);
        written.set(path, compared);
      }
      if (bytes > MAX_WRITTEN_BYTES) await lastTree();
    },
  };
}

async function recordWrites(
  parts: LedgerParts,
  own: ReturnType<typeof trackWrites>,
  writes: readonly FileWrite[],
  by: By,
): Promise<Change[]> {
  const { files, trees, images } = parts;
  await trees.baseline();
  const kinds = await Promise.all(writes.map(async ({ path }) => (await files.stat(path))?.kind));
  if (kinds.includes('symlink')) {
    // A link has no content to store as an image; git stores its target.
    const from = await own.lastTree();
    await files.write(writes);
    await trees.adoptNames(writes.map(({ path }) => files.relative(path)));
    return recordObserved(parts, from, by, null);
  }
  const effects: Effect[] = [];
  for (const [index, write] of writes.entries())
    effects.push(await effectOf(write, kinds[index] === 'file', parts));
  await images.record(
    effects.map(({ path, before }) => ({
      path,
      before: before?.hash ?? null,
      object: null,
      mode: before?.mode ?? null,
      tool: by.tool,
      call_id: by.callId,
    })),
  );
  await files.write(writes);
  await trees.adoptNames(effects.map(({ path }) => path));
  await own.add(effects);
  return entriesOf(pairRenames(effects.filter(isChange)), by);
}

async function effectOf(write: FileWrite, wasFile: boolean, parts: LedgerParts): Promise<Effect> {
  const path = parts.files.relative(write.path);
  const before = wasFile ? await stateBefore(path, parts) : null;
  if (write.content === null) return { path, before, after: null };
  const hash = contentHash(write.content);
  const mode = write.mode ?? before?.mode ?? NEW_FILE_MODE;
  return { path, before, after: { content: write.content, mode, hash } };
}

async function stateBefore(path: string, { files, images }: LedgerParts): Promise<State> {
  const { bytes, size, mode } = await files.read(path);
  if (bytes.length < size) {
    throw new ToolError('too_large', `${path} has ${size} bytes, too many to change with a file tool.`);
  }
  return { content: bytes, mode, hash: await images.store(bytes) };
}

/** Records the changes since the tree `from`. Without an evaluator all are accepted. */
async function recordObserved(
  { root, trees, images }: LedgerParts,
  from: string,
  by: By,
  evaluator: ChangeEvaluator | null,
): Promise<Change[]> {
  let compared: { readonly tree: string; readonly diff: Promise<TreeDiff> } | null = null;
  const diff = (tree: string): Promise<TreeDiff> => {
    if (compared?.tree !== tree)
      compared = { tree, diff: trees.git().then((git) => diffTrees(git, from, tree)) };
    return compared.diff;
  };
  const taken = await trees.take();
  const to =
    evaluator === null
      ? taken
      : await (await reverting()).revertRejected({ root, trees, from, to: taken, diff }, evaluator);
  if (evaluator === null) trees.acceptNames();
  if (from === to) return [];
  const git = await trees.git();
  const { changes, patches } = await diff(to);
  const objects = (some: readonly RawChange[]) => some.flatMap((one) => [one.oldObject, one.newObject]);
  const hashes = await hashObjects(git, objects(changes));
  const manifests = await readObjects(git, objects(changes.filter(({ path }) => riskNeedsContent(path))));
  await images.record(
    changes.map((change) => ({
      path: printableName(change.oldPath ?? change.path),
      before: hashes.get(change.oldObject) ?? null,
      object: change.kind === 'add' ? null : change.oldObject,
      mode: change.kind === 'add' ? null : Number.parseInt(change.oldMode, 8) & 0o777,
      tool: by.tool,
      call_id: by.callId,
    })),
  );
  return changes.map((change, at) => observedEntry(change, patches[at] ?? '', { hashes, manifests }, by));
}
