import type { StateStore } from '../../contract/state-store.ts';

/** Where the tasks of a repository are kept, one value a task. */
export interface TaskHome {
  /** In memory for a run whose word does not count beyond itself. */
  readonly store: StateStore;
  /** What a task's `repoURL` is when none is given. */
  readonly repositoryUrl: string;
  readonly now: () => Date;
}
