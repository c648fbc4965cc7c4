import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository, World } from '../world.ts';

/** Reads that come from a replica which does not know the newest writes yet. */
export interface Replica {
  /** From now on, this many reads after a write return the state before it; 0 ends that. */
  readonly lag: (reads: number) => void;
  /** The world that a request sees: a write the newest, a read the replica's. */
  readonly view: (writes: boolean) => Promise<World>;
}

/**
 * Makes the replica of a world; it is not behind at first. Observed: GitHub's answer to a read may be older than a write that was
 * answered before (PyGithub/PyGithub, issue 2759). No page of GitHub's says so.
 */
export function createReplica(world: World): Replica {
  let reads = 0;
  let left = 0;
  let old: Promise<World> | null = null;
  let copies = 0;
  return {
    lag: (count) => {
      reads = count;
      left = 0;
    },
    view: async (writes) => {
      if (writes && reads > 0 && left === 0) {
        left = reads;
        copies += 1;
        old = copyOf(world, join(world.directory, `replica-${copies}`));
      }
      // The copy is of the state before the write, so it comes first.
      if (writes || left === 0 || old === null) {
        await old;
        return world;
      }
      left -= 1;
      return old;
    },
  };
}

/** The world with copies of its repositories, whose refs stay unchanged. */
async function copyOf(world: World, folder: string): Promise<World> {
  const repositories: Map<string, Repository> = structuredClone(world.repositories);
  for (const [name, repository] of repositories) {
    const { directory } = repository;
    const copy = join(folder, name);
    await mkdir(copy, { recursive: true });
    for (const part of ['HEAD', 'config', 'packed-refs', 'refs'])
      await cp(join(directory, part), join(copy, part), { recursive: true }).catch((error: unknown) => {
        // Refs are packed by git alone, and only now and then.
        if (part !== 'packed-refs') throw error;
      });
    await symlink(join(directory, 'objects'), join(copy, 'objects'));
    Object.assign(repository, { directory: copy });
  }
  return { ...world, repositories };
}
