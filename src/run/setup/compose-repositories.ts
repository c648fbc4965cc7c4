import { realpath } from 'node:fs/promises';
import type { Config } from '../../config/schema.ts';
import type { RegisteredRepository } from '../../workspace/git/registered-repositories.ts';

/**
 * Finds the other checkouts that the configuration lets a run read. An unreadable one is omitted
 * and named in `problems`: it ends no run.
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
  // Opening the workspace reports a missing root.
  const root = await realpath(run.root).catch(() => run.root);
  const { findRepositories } = await import('../../workspace/git/registered-repositories.ts');
  return findRepositories({
    registered: registered.map((one) => (typeof one === 'string' ? { path: one } : one)),
    root,
    from: run.repositoriesFrom ?? root,
    private: [run.runsFolder, ...(run.ownFolders ?? [])],
  });
}
