import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DecidingProgram } from '../../permissions/gate/ask-programs.ts';
import { filesAt } from '../../workspace/git/files-at.ts';
import { findGit, readHead } from '../../workspace/git/git-layout.ts';
import { makeOwnGit } from '../../workspace/git/own-git.ts';
import {
  type ReadTrusted,
  type StoredProgram,
  storeProgram,
} from '../../workspace/storage/stored-programs.ts';

/** The origin of a run's programs. */
export interface ProgramSource {
  readonly root: string;
  /** The run's own folder, outside the checkout. */
  readonly runFolder: string;
  /** Files of the trusted commit. Default: the checkout's last commit. */
  readonly trusted?: ReadTrusted;
}

/** Identifies a program by its line, files and folder. */
export const savedProgramKey = ({
  run,
  files = [],
  folder,
}: Pick<DecidingProgram, 'run' | 'files' | 'folder'>): string => JSON.stringify([folder ?? null, run, files]);

/**
 * Saves each program in its own folder below `folder`, with its own files only. Returns by
 * `savedProgramKey` the program, or a problem: a clause with the program as its subject.
 */
export async function savePrograms(
  programs: readonly Omit<DecidingProgram, 'by'>[],
  folder: string,
  source: ProgramSource,
): Promise<ReadonlyMap<string, StoredProgram | { readonly problem: string }>> {
  const trusted = source.trusted ?? lastCommitOf(source);
  const wanted = new Map(programs.map((program) => [savedProgramKey(program), program]));
  const saved = new Map<string, StoredProgram | { readonly problem: string }>();
  await mkdir(folder, { recursive: true });
  for (const [key, program] of wanted) {
    const target = path.join(folder, String(saved.size + 1));
    await mkdir(target);
    const lines = { run: program.run, files: program.files ?? [], folder: program.folder ?? null };
    saved.set(key, await storeProgram(lines, { folder: target, root: source.root, trusted }));
  }
  return saved;
}

/** Reads the last commit of an operator's checkout. No command in the sandbox can move it. */
function lastCommitOf({ root, runFolder }: ProgramSource): ReadTrusted {
  const layout = findGit(root);
  const sha = layout === null ? null : readHead(layout).sha;
  if (layout === null || sha === null) return async () => new Map();
  const made = makeOwnGit(layout, path.join(runFolder, 'programs.git'));
  return async (paths) => filesAt(made, sha, paths);
}
