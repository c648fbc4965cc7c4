import type { ExperimentHistory } from '../../contract/experiment.ts';
import { experimentsOf } from '../../contract/experiment-results.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { RunHistory } from '../../contract/run-history.ts';
import type { RunEntry } from '../../contract/run-ledger.ts';
import type { Todo } from '../../contract/run-results.ts';

/** The tasks of `task_list` that a run made or changed. Other tasks are not counted. */
interface OwnTasks {
  /** Number of tasks that are not completed. */
  readonly open: number;
  /** The turn of the last call of `task_list`; 0 before the first. */
  readonly at: number;
}

/** Tracks the tasks by the successful calls of `task_list` and their data. */
class OwnTasksFold implements OwnTasks {
  at = 0;
  readonly #isOpen = new Map<string, boolean>();

  get open(): number {
    return [...this.#isOpen.values()].filter(Boolean).length;
  }

  add(input: Json, data: Json | undefined, turn: number): void {
    this.at = turn;
    if (!isJsonObject(input) || !isJsonObject(data)) return;
    const { task, tasks, deleted } = data;
    if (typeof deleted === 'string') this.#isOpen.delete(deleted);
    const makesOwn = input.action === 'create' || input.action === 'update';
    for (const one of [task, ...(Array.isArray(tasks) ? tasks : [])])
      if (isJsonObject(one) && typeof one.id === 'string' && (makesOwn || this.#isOpen.has(one.id)))
        this.#isOpen.set(one.id, one.status !== 'completed');
  }
}

/** A run's ledger folded into the history that replaces summarised turns. */
export interface HistoryFold {
  readonly history: RunHistory;
  readonly turn: number;
  readonly todos: readonly Todo[];
  /** The turn in which the list was written last; 0 before it was. */
  readonly todosAt: number;
  readonly tasks: OwnTasks;
  /** The active experiment with its runs so far. Null before one began. */
  readonly experiment: ExperimentHistory | null;
  /** Number of file changes so far. */
  readonly changes: number;
  /** Kinds of result that were stated so far. */
  readonly stated: ReadonlySet<RunEntry['type']>;
  add(entry: RunEntry): void;
  /** Adds a person's answer. With `question` null, a text of their own. */
  addReply(question: string | null, words: string): void;
  /** Replaces the model's summary. */
  summarised(summary: string): void;
}

/** Maximum items of each list. */
const most = { read: 200, changed: 300, failures: 30, actions: 150, said: 30, decided: 40 };
/** Maximum characters of an item. */
const mostOfCall = 160;
const mostOfError = 300;
const mostOfQuestion = 1_000;
const mostOfReply = 4_000;
/** Maximum files named as the solution of a failure. */
const mostNamed = 5;

/** Calls that are not listed: their effect or the calls inside them are stored anyway. */
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

type OpenCall = { readonly call: string; readonly paths: readonly string[]; readonly input: Json };
type Failure = RunHistory['failures'][number];
type Entry<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** Opens the history of a run. A resumed session continues `before`, after `turns` turns. */
export function newHistoryFold(before: RunHistory | null = null, turns = 0): HistoryFold {
  return new RunHistoryFold(before, turns);
}

class RunHistoryFold implements HistoryFold {
  readonly history: RunHistory;
  readonly tasks = new OwnTasksFold();
  readonly stated = new Set<RunEntry['type']>();
  turn: number;
  todos: readonly Todo[] = [];
  todosAt = 0;
  experiment: ExperimentHistory | null = null;
  changes = 0;
  readonly #openCalls = new Map<string, OpenCall>();
  /** Files changed since a call failed, which count as its solution. */
  readonly #changedSince = new Map<Failure, Set<string>>();

  constructor(before: RunHistory | null, turns: number) {
    this.turn = turns;
    this.history = before
      ? structuredClone(before)
      : { summary: '', read: [], changed: [], failures: [], actions: [], older: 0, said: [], decided: [] };
  }

  add(entry: RunEntry): void {
    switch (entry.type) {
      case 'turn.started':
        this.turn = entry.turn;
        // Open calls of the turn before never got a result.
        this.#openCalls.clear();
        break;
      case 'tool.call':
        this.#begin(entry);
        break;
      case 'tool.result':
        this.#finish(entry);
        break;
      case 'change':
        this.#change(entry.change);
        break;
      case 'experiment':
        this.experiment =
          experimentsOf([...(this.experiment ? [this.experiment] : []), entry]).at(-1) ?? null;
        break;
      case 'todos':
        this.todos = entry.todos;
        this.todosAt = this.turn;
        break;
      case 'findings':
      case 'description':
      case 'triage':
        this.stated.add(entry.type);
        break;
      case 'refusal':
        this.#decide(`refused: ${entry.refusal.tool} ${entry.refusal.what}: ${entry.refusal.reason}`);
        break;
      case 'approval.decided': {
        const { verdict, by, tool, what, note } = entry.decided;
        this.#decide(`${verdict} by ${by}: ${tool} ${what}${note === '' ? '' : ` (${note})`}`);
        break;
      }
      case 'grant': {
        const tools = entry.grant.permissions.map(({ tool }) => tool).join(', ');
        this.#decide(`${entry.grant.by} granted ${tools}`);
        break;
      }
      default:
    }
  }

  addReply(question: string | null, words: string): void {
    const asked = question === null ? null : line(question, mostOfQuestion);
    const { history } = this;
    history.said = newest(
      [...history.said, { question: asked, words: words.slice(0, mostOfReply) }],
      most.said,
    );
  }

  summarised(summary: string): void {
    this.history.summary = summary;
  }

  #begin({ call_id, tool, what, input }: Entry<'tool.call'>): void {
    this.#openCalls.set(call_id, {
      call: line(`${tool} ${what}`, mostOfCall),
      paths: readers.has(tool) ? pathsOf(input) : [],
      // Other inputs may be as long as a file.
      input: tool === 'task_list' ? input : null,
    });
  }

  #finish(entry: Entry<'tool.result'>): void {
    const { call_id, tool, ok, data } = entry;
    const begun = this.#openCalls.get(call_id);
    this.#openCalls.delete(call_id);
    if (begun === undefined || unlisted.has(tool)) return;
    const { call, paths, input } = begun;
    const { history, turn } = this;
    if (ok) {
      if (tool === 'task_list') this.tasks.add(input, data, turn);
      for (const path of paths)
        history.read = newest([...history.read.filter((one) => one !== path), path], most.read);
    }
    const failed = !ok || exitCodeOf(data) !== 0;
    history.actions.push({ turn, call, ok: !failed });
    if (history.actions.length > most.actions) {
      history.actions.shift();
      history.older += 1;
    }
    const unsolved = history.failures.findLast((one) => one.call === call && one.solved === null);
    if (!failed && unsolved !== undefined) this.#solve(unsolved);
    if (failed && unsolved === undefined) this.#fail(call, entry);
  }

  #fail(call: string, { ok, content }: Entry<'tool.result'>): void {
    const { history, turn } = this;
    // Programs print last what went wrong.
    const error = line(ok ? content.slice(-mostOfError) : content, mostOfError);
    const failure: Failure = { turn, call, error, solved: null };
    history.failures = newest([...history.failures, failure], most.failures);
    this.#changedSince.set(failure, new Set());
    for (const one of this.#changedSince.keys())
      if (!history.failures.includes(one)) this.#changedSince.delete(one);
  }

  #solve(failure: Failure): void {
    const paths = [...(this.#changedSince.get(failure) ?? [])];
    this.#changedSince.delete(failure);
    const after = paths.length === 0 ? '' : `, after changes to ${paths.join(', ')}`;
    failure.solved = `worked in turn ${this.turn}${after}`;
  }

  #change({ path, kind }: Entry<'change'>['change']): void {
    const { history } = this;
    this.changes += 1;
    for (const paths of this.#changedSince.values()) if (paths.size < mostNamed) paths.add(path);
    const others = history.changed.filter((one) => one.path !== path);
    history.changed = newest([...others, { path, kind }], most.changed);
  }

  #decide(text: string): void {
    const { history } = this;
    const decision = line(text, mostOfError);
    // A resumed session records earlier decisions again.
    if (!history.decided.includes(decision))
      history.decided = newest([...history.decided, decision], most.decided);
  }
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

function exitCodeOf(data: Json | undefined): number {
  return isJsonObject(data) && typeof data.exit_code === 'number' ? data.exit_code : 0;
}

function pathsOf(input: Json): string[] {
  const { path, paths }: JsonObject = isJsonObject(input) ? input : {};
  return [path, ...(Array.isArray(paths) ? paths : [])].filter((one) => typeof one === 'string');
}
