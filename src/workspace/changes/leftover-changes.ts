import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ChangeSet } from '../../contract/change.ts';
import { createTreeWatch } from '../../permissions/tree/tree-watch.ts';
import { isSha } from '../git/git-layout.ts';
import { entryPath, nameOfBytes, printableName } from '../git/tree-names.ts';
import { changesBetween } from './final-changes.ts';
import { baselineFile } from './run-trees.ts';
import { createSnapshots } from './snapshots.ts';

/**
 * Returns what a dead run left in its scratch checkout at `root`, commands included. Null if it
 * never came to a call that may change files, or if its checkout is gone. Nothing may be at work in
 * the checkout. Git reads the tree as during the run: with the run's own settings and attributes.
 */
export async function leftoverChanges(run: {
  readonly root: string;
  /** The folder of the run's records, which no agent can reach. */
  readonly runFolder: string;
  readonly baseSha: string;
}): Promise<ChangeSet | null> {
  const { root, runFolder, baseSha } = run;
  const gitDirectory = path.join(runFolder, 'trees.git');
  const baseline = await readFile(path.join(gitDirectory, baselineFile), 'utf8').catch(() => '');
  const tree = await stat(root).catch(() => null);
  if (!isSha(baseline) || tree?.isDirectory() !== true) return null;
  await removeUnreadableRules(root);
  // The process that held these locks is gone.
  for (const name of ['index.lock', 'HEAD.lock']) await rm(path.join(gitDirectory, name), { force: true });
  const git = { cwd: runFolder, gitDirectory };
  const snapshots = createSnapshots({ cwd: root, gitDirectory, workTree: root });
  // The index counts as the first snapshot, so that the limits of sizes apply to the rest.
  await snapshots.amend([]);
  const found = await changesBetween(git, baseline, await snapshots.take(), baseSha);
  const omitted = [...(found.left_out ?? []), ...snapshots.omitted().map(printableName)];
  return omitted.length === 0 ? found : { ...found, left_out: omitted };
}

/** Removes rule files such as a FIFO in place of `.gitignore`, at which git would wait forever. */
async function removeUnreadableRules(root: string): Promise<void> {
  for (const entry of await createTreeWatch(root).scan())
    if (entry.concern === 'rules' && entry.kind === 'other')
      await rm(entryPath(root, nameOfBytes(entry.path)), { force: true });
}
