import { isJsonObject, type Json } from '../../contract/json.ts';

/** The tasks of `task_list` that a run made or changed, as it last saw them: others stand on that list that are not its concern. */
export interface OwnTasks {
  /** How many are not completed. */
  readonly open: number;
  /** The turn of the last call of `task_list`; 0 before the first. */
  readonly at: number;
}

/** Folded from the calls of `task_list` that went well, by what they gave as data. */
export interface OwnTasksFold extends OwnTasks {
  add(input: Json, data: Json | undefined, turn: number): void;
}

/** Of a run that has made none yet. */
export function newOwnTasks(): OwnTasksFold {
  const isOpen = new Map<string, boolean>();
  let at = 0;
  return {
    get open() {
      return [...isOpen.values()].filter(Boolean).length;
    },
    get at() {
      return at;
    },
    add(input, data, turn) {
      at = turn;
      if (!isJsonObject(input) || !isJsonObject(data)) return;
      const { task, tasks, deleted } = data;
      if (typeof deleted === 'string') isOpen.delete(deleted);
      const takes = input.action === 'create' || input.action === 'update';
      for (const one of [task, ...(Array.isArray(tasks) ? tasks : [])]) {
        if (!isJsonObject(one) || typeof one.id !== 'string') continue;
        if (takes || isOpen.has(one.id)) isOpen.set(one.id, one.status !== 'completed');
      }
    },
  };
}
