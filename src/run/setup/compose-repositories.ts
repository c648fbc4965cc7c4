import { realpath } from 'node:fs/promises';
import type { Config } from '../../config/schema.ts';
import { findRepositories, type RegisteredRepository } from '../../workspace/git/registered-repositories.ts';

/**
 * The other checkouts that a run may read, by its configuration. One that cannot be read is left out and told in
 * `problems`: what is missing on this machine ends no run.
 */
export async function composeRepositories(run: {
  readonly root: string;
  readonly runsFolder: string;
  readonly ownFolders?: readonly string[] | undefined;
  readonly repositoriesFrom?: string | undefined;
  readonly config: Config;
}): Promise<{ repositories: readonly RegisteredRepository[]; problems: readonly string[] }> {
  const registered = run.config.workspace?.repos ?? [];
  if (registered.length === 0) return { repositories: [], problems: [] };
  // Opening the workspace tells what is wrong with a root that is not there.
  const root = await realpath(run.root).catch(() => run.root);
  return findRepositories({
    registered: registered.map((one) => (typeof one === 'string' ? { path: one } : one)),
    root,
    from: run.repositoriesFrom ?? root,
    private: [run.runsFolder, ...(run.ownFolders ?? [])],
  });
}
