import { type ExperimentHistory, experimentsOf } from '../../contract/experiment.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { RunHistory } from '../../contract/run-history.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Todo } from '../../contract/run-results.ts';

/**
 * The tasks of `task_list` that a run made or changed, as it last saw them: others stand on that
 * list that are not its concern.
 */
export interface OwnTasks {
  /** Number of tasks that are not completed. */
  readonly open: number;
  /** The turn of the last call of `task_list`; 0 before the first. */
  readonly at: number;
}

/** Folded from the calls of `task_list` that went well, by what they gave as data. */
export interface OwnTasksFold extends OwnTasks {
  add(input: Json, data: Json | undefined, turn: number): void;
}

/** Opens the tasks of a new run. */
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

/** A run's record as it grows, folded into what is kept of turns that are summarised. */
export interface HistoryFold {
  readonly history: RunHistory;
  readonly turn: number;
  readonly todos: readonly Todo[];
  /** The turn in which the list was written last; 0 before it was. */
  readonly todosAt: number;
  readonly tasks: OwnTasks;
  /** The experiment that goes on, with its runs so far; null before one began. */
  readonly experiment: ExperimentHistory | null;
  /** Number of file changes so far. */
  readonly changes: number;
  /** Kinds of result that were stated so far. */
  readonly stated: ReadonlySet<RunEntry['type']>;
  add(entry: RunEntry): void;
  /** Adds a person's answer. With `question` null, a text of their own. */
  addReply(question: string | null, words: string): void;
  /** The model's summary, in place of the one before. */
  summarised(summary: string): void;
}

/** Maximum items of each list. */
const most = { read: 200, changed: 300, failures: 30, actions: 150, said: 30, decided: 40 };
const mostOfCall = 160;
const mostOfError = 300;
const mostOfReply = 4_000;
/** Maximum files named as the solution of a failure. */
const mostNamed = 5;

/**
 * Calls that are not worth a line: they change nothing but what is kept anyway, or are told by the
 * calls inside them.
 */
const unlisted = new Set([
  'todo_read',
  'todo_write',
  'tool_search',
  'batch',
  'compact',
  'get_context_remaining',
]);
/** Calls that show a file whole or in part, by the arguments that name it. */
const readers = new Set(['read', 'multi_read', 'view_image', 'look_at', 'workspace.read_file']);

type Open<Type> = { -readonly [Key in keyof Type]: Type[Key] };
type OpenCall = { readonly call: string; readonly paths: readonly string[]; readonly input: Json };
type Failure = RunHistory['failures'][number];

/**
 * Goes on from what is known of the `turns` before, where a session is resumed. Costs little: it
 * runs beside every turn.
 */
export function newHistoryFold(before: RunHistory | null = null, turns = 0): HistoryFold {
  const history: Open<RunHistory> = before
    ? structuredClone(before)
    : { summary: '', read: [], changed: [], failures: [], actions: [], older: 0, said: [], decided: [] };
  const open = new Map<string, OpenCall>();
  /** Files changed since a call failed, which count as its solution. */
  const changedSince = new Map<Failure, Set<string>>();
  let turn = turns;
  let todos: readonly Todo[] = [];
  let todosAt = 0;
  const tasks = newOwnTasks();
  let experiment: ExperimentHistory | null = null;
  let changes = 0;
  const stated = new Set<RunEntry['type']>();

  const touch = (path: string) => {
    history.read = newest([...history.read.filter((one) => one !== path), path], most.read);
  };
  const finish = (entry: Extract<RunEntry, { type: 'tool.result' }>) => {
    const known = open.get(entry.call_id);
    open.delete(entry.call_id);
    if (known === undefined || unlisted.has(entry.tool)) return;
    const { call } = known;
    if (entry.tool === 'task_list' && entry.ok) tasks.add(known.input, entry.data, turn);
    const failed = !entry.ok || exitCodeOf(entry.data) !== 0;
    if (entry.ok) for (const path of known.paths) touch(path);
    history.actions.push({ turn, call, ok: !failed });
    if (history.actions.length > most.actions) {
      history.actions.shift();
      history.older += 1;
    }
    const pending = history.failures.findLast((one) => one.call === call && one.solved === null);
    if (failed && pending === undefined) {
      const error = entry.ok ? endOf(entry.content) : line(entry.content, mostOfError);
      const failure: Failure = { turn, call, error, solved: null };
      history.failures = newest([...history.failures, failure], most.failures);
      changedSince.set(failure, new Set());
    } else if (!failed && pending !== undefined) {
      const paths = [...(changedSince.get(pending) ?? [])];
      changedSince.delete(pending);
      pending.solved = `worked in turn ${turn}${paths.length === 0 ? '' : `, after changes to ${paths.join(', ')}`}`;
    }
    for (const failure of changedSince.keys())
      if (!history.failures.includes(failure)) changedSince.delete(failure);
  };
  const decide = (words: string) => {
    const text = line(words, mostOfError);
    // A session that goes on records again what was decided before.
    if (!history.decided.includes(text)) history.decided = newest([...history.decided, text], most.decided);
  };

  return {
    history,
    stated,
    tasks,
    get turn() {
      return turn;
    },
    get todos() {
      return todos;
    },
    get todosAt() {
      return todosAt;
    },
    get experiment() {
      return experiment;
    },
    get changes() {
      return changes;
    },
    add(entry) {
      switch (entry.type) {
        case 'turn.started':
          turn = entry.turn;
          // A call that a turn left open never got a result.
          open.clear();
          return;
        case 'tool.call':
          open.set(entry.call_id, {
            call: line(`${entry.tool} ${entry.what}`, mostOfCall),
            paths: readers.has(entry.tool) ? pathsOf(entry.input) : [],
            // Others may be as long as a file.
            input: entry.tool === 'task_list' ? entry.input : null,
          });
          return;
        case 'tool.result':
          return finish(entry);
        case 'change': {
          const { path, kind } = entry.change;
          changes += 1;
          for (const paths of changedSince.values()) if (paths.size < mostNamed) paths.add(path);
          const others = history.changed.filter((one) => one.path !== path);
          history.changed = newest([...others, { path, kind }], most.changed);
          return;
        }
        case 'experiment':
          experiment = experimentsOf([...(experiment === null ? [] : [experiment]), entry]).at(-1) ?? null;
          return;
        case 'todos':
          todos = entry.todos;
          todosAt = turn;
          return;
        case 'findings':
        case 'description':
        case 'triage':
          stated.add(entry.type);
          return;
        case 'refusal':
          return decide(`refused: ${entry.refusal.tool} ${entry.refusal.what}: ${entry.refusal.reason}`);
        case 'approval.decided': {
          const { verdict, by, tool, what, note } = entry.decided;
          return decide(`${verdict} by ${by}: ${tool} ${what}${note === '' ? '' : ` (${note})`}`);
        }
        case 'grant':
          return decide(
            `${entry.grant.by} granted ${entry.grant.permissions.map(({ tool }) => tool).join(', ')}`,
          );
        default:
      }
    },
    addReply(question, words) {
      const said = {
        question: question === null ? null : line(question, 1_000),
        words: words.slice(0, mostOfReply),
      };
      history.said = newest([...history.said, said], most.said);
    },
    summarised(summary) {
      history.summary = summary;
    },
  };
}

function newest<Item>(items: Item[], count: number): Item[] {
  return items.length > count ? items.slice(-count) : items;
}

/** A text on one line, cut to a length. */
function line(text: string, length: number): string {
  const one = text
    .slice(0, length * 2)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return one.length > length ? `${one.slice(0, length - 1)}…`.toWellFormed() : one;
}

/** Programs say last what went wrong. */
function endOf(text: string): string {
  return line(text.slice(-mostOfError), mostOfError);
}

function exitCodeOf(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('exit_code' in data)) return 0;
  return typeof data.exit_code === 'number' ? data.exit_code : 0;
}

function pathsOf(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const { path, paths } = input as JsonObject;
  return [path, ...(Array.isArray(paths) ? paths : [])].filter((one) => typeof one === 'string');
}
