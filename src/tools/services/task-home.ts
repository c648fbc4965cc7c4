import type { StateStore } from '../../contract/state-store.ts';

/** The store of a repository's tasks, one value per task. */
export interface TaskHome {
  /** In memory for a run without trust beyond itself. */
  readonly store: StateStore;
  /** Default `repoURL` of a task. */
  readonly repositoryUrl: string;
  readonly now: () => Date;
}
