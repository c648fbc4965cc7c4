import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import type { ChangeSet } from '../contract/change.ts';
import { ConfigError } from '../contract/errors.ts';
import type { TreeWatch } from '../permissions/tree/tree-watch.ts';
import { createBeforeImages } from './changes/before-images.ts';
import { createCheckpoints } from './changes/checkpoints.ts';
import { createChangeLedger } from './changes/create-change-ledger.ts';
import { createReadMemory } from './changes/read-memory.ts';
import { createRunTrees, type RunTrees } from './changes/run-trees.ts';
import type { Overlay } from './files/confine-path.ts';
import { createConfinedFiles } from './files/create-confined-files.ts';
import { errorCode } from './files/open-confined.ts';
import { findGit, readHead } from './git/git-layout.ts';
import { makeAgentGit } from './git/own-git.ts';
import type { RegisteredRepository } from './git/registered-repositories.ts';
import { printableName } from './git/tree-names.ts';
import type { Workspace } from './workspace.ts';

/**
 * Opens an existing checkout, with or without git. Starts no process: git runs first for the
 * baseline. Run data goes into `runFolder`, which lies outside `root`. Tools may also read
 * `spillFolder` and the registered repositories. `root` counts as a repository only if it is the
 * top of the work tree.
 *
 * Throws `ConfigError` when `root` does not exist.
 */
export async function openWorkspace(options: {
  readonly root: string;
  /** Folder below `root` that commands start in. Default: the root. */
  readonly start?: string;
  readonly runFolder: string;
  readonly spillFolder: string;
  readonly repositories?: readonly RegisteredRepository[];
  /**
   * Folders that the set-up made and that are mounted over the workspace. Evaluated at each call.
   */
  readonly overlays?: () => readonly Overlay[];
}): Promise<Workspace> {
  const root = await realpath(options.root).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new ConfigError(`The folder to work in does not exist: ${options.root}`, { key: 'cwd' });
  });
  const layout = findGit(root);
  const headSha = layout === null ? null : readHead(layout).sha;
  const readOnlyRoots = [
    { folder: options.spillFolder, displayPath: options.spillFolder },
    ...(options.repositories ?? []).map(({ root: folder, displayPath }) => ({ folder, displayPath })),
  ];
  const files = createConfinedFiles({
    root,
    readOnlyRoots,
    start: options.start ?? '',
    overlays: options.overlays,
  });
  let watching: Promise<TreeWatch> | null = null;
  const watch = () => {
    watching ??= import('../permissions/tree/tree-watch.ts').then(({ createTreeWatch }) =>
      createTreeWatch(root),
    );
    return watching;
  };
  const trees = createRunTrees({ root, layout, folder: path.join(options.runFolder, 'trees.git'), watch });
  const images = createBeforeImages(path.join(options.runFolder, 'before'));
  const changes = createChangeLedger({ root, files, trees, images });
  const agentGit = path.join(options.runFolder, 'agent.git');
  let agentGitMade: Promise<void> | null = null;

  return {
    root,
    start: options.start ?? '',
    headSha,
    watch,
    files,
    memory: createReadMemory(),
    changes,
    checkpoints: createCheckpoints({ root, trees }),
    baseline: async (ownPatch) => void (await trees.baseline(ownPatch)),
    beginBaseline: () => trees.begin(),
    async agentGitDirectory() {
      if (layout === null) return null;
      agentGitMade ??= makeAgentGit(layout, agentGit);
      await agentGitMade;
      return agentGit;
    },
    finalChanges: (isCurrent = false) => finalChanges(trees, headSha, isCurrent),
    async changesOfCalls(made) {
      // Loaded on a full disk only.
      const { changesOfCalls } = await import('./changes/changes-of-calls.ts');
      return changesOfCalls(made, { runFolder: options.runFolder, files, headSha });
    },
    // Git may still be writing a baseline that no one awaited.
    close: () => trees.baselineDone(),
  };
}

async function finalChanges(trees: RunTrees, headSha: string | null, isCurrent: boolean): Promise<ChangeSet> {
  // No call could have changed the tree, so git is not needed.
  if (!trees.isBaselineRequested()) return { base_sha: headSha ?? '', patch: '', files: [] };
  // Loaded at the end of the run, where it is first needed.
  const { changesBetween } = await import('./changes/final-changes.ts');
  const from = await trees.baseline();
  const to = await (isCurrent ? trees.latest() : trees.take());
  const found = await changesBetween(await trees.git(), from, to, headSha);
  const omitted = [...(found.left_out ?? []), ...(await trees.omitted()).map(printableName)];
  return omitted.length === 0 ? found : { ...found, left_out: omitted };
}
