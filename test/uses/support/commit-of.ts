import type { RepositoryHandle } from '../../support/github/repository-handle.ts';

/** A commit of the stand-in's repository, whole, with the run's random id made `RUN`. */
export interface CommitRecord {
  readonly parents: string[];
  readonly author: string;
  readonly message: string;
  /** Status and path of each changed file, as `M src/a.ts`. */
  readonly files: string[];
}

/** Reads the commit at the tip of a branch, or at any revision. */
export async function commitOf(repository: RepositoryHandle, revision: string): Promise<CommitRecord> {
  const format = '%P%x00%an <%ae>%x00%B';
  const [parents = '', author = '', message = ''] = (
    await repository.git('show', '-s', `--format=${format}`, revision)
  ).split('\0');
  const files = await repository.git('diff-tree', '-r', '--no-commit-id', '--name-status', revision);
  return {
    parents: parents.trim().split(' '),
    author,
    message: message.trim().replace(/^Anode-Run: run_\w+$/m, 'Anode-Run: RUN'),
    files: files
      .trim()
      .split('\n')
      .map((line) => line.replace('\t', ' ')),
  };
}
