import { hash } from 'node:crypto';
import type { ToolCallPart, ToolDefinition, ToolResultPart } from '../../contract/message.ts';
import type { HistoryFold } from '../context/history-fold.ts';
import type { LimitLeft, RunBudget } from '../limits/run-budget.ts';
import { offeredResultTool } from '../profiles/tool-filters.ts';
import type { TurnReminder } from './turn-reminders.ts';

/** Text near the end, for any limit. */
const finalAnswer = 'Give your final answer now: what is done, what is not, how to go on.';

/** Returns the reminders of every run: on repeated calls, forgotten lists and near limits. */
export function recurringReminders(run: {
  readonly history: HistoryFold;
  readonly budget: Pick<RunBudget, 'left'>;
  readonly toolDefinitions: readonly ToolDefinition[];
}): TurnReminder[] {
  return [
    cutOffReminder,
    repeatedCallReminder(run.history),
    staleTodosReminder(run.history),
    staleTasksReminder(run.history),
    limitReminder(run.budget, offeredResultTool(run.toolDefinitions)),
    turnsLeftReminder(run.budget),
  ];
}

/**
 * Explains why a call was cut off. A model that only learns of broken JSON sends the same long call
 * again.
 */
export const cutOffReminder: TurnReminder = ({ cutOff, calls }) =>
  cutOff === true && typeof calls.at(-1)?.input === 'string'
    ? 'Your reply was cut off at the output limit, in the middle of that call. Send less in one call: a long file in parts, each whole.'
    : null;

/** Number of remaining turns from which on each turn has a reminder. */
const fewTurns = 5;

/**
 * States the number of remaining turns from five on, and that the next turn is the last one. Not
 * once the calls are used up.
 */
export function turnsLeftReminder(budget: Pick<RunBudget, 'left'>): TurnReminder {
  const callsUsedUp = () => budget.left().some(({ kind, left }) => kind === 'tool_call_limit' && left === 0);
  return ({ turnsLeft }) => {
    if (turnsLeft === 1) return `One turn is left. ${finalAnswer}`;
    if (turnsLeft > fewTurns || turnsLeft < 1 || callsUsedUp()) return null;
    return `${turnsLeft} turns are left, the last of them for your answer.`;
  };
}

/** Remaining share of a limit from which on there is a reminder. */
const nearShare = 0.1;
/** A turn is a little dearer than the one before: what it is asked with has grown. */
const growth = 1.1;

type KeyedLimit = LimitLeft & { readonly key: string };

/**
 * Gives each limit its own key. A child has two limits of calls, the run's and its own, and both
 * may have the same number.
 */
function keyed(limits: readonly LimitLeft[]): KeyedLimit[] {
  const keys = limits.map(({ kind }, index) => {
    const before = limits.slice(0, index).filter((other) => other.kind === kind).length;
    return `${kind} ${before}`;
  });
  return limits.map((limit, index) => ({ ...limit, key: keys[index] ?? '' }));
}

/**
 * Reminds of each limit when it is near, and once more when another turn like the last one would
 * pass it. Also reports used-up calls: the run ends only after one more turn, in which the tool
 * `resultToolName` can still be called.
 */
export function limitReminder(
  budget: Pick<RunBudget, 'left'>,
  resultToolName: string | null = null,
): TurnReminder {
  const notified = new Map<string, number>();
  const leftOf = (limits: readonly KeyedLimit[]) => new Map(limits.map(({ key, left }) => [key, left]));
  // Usage before this run was none of its turns.
  let before = leftOf(keyed(budget.left()));
  const stageOf = ({ key, kind, left, most }: KeyedLimit): number => {
    if (left === 0) return kind === 'tool_call_limit' ? 3 : 0;
    const used = (before.get(key) ?? most) - left;
    if (left > used * growth) return left <= most * nearShare ? 1 : 0;
    return kind === 'tool_call_limit' ? 1 : 2;
  };
  return () => {
    const limits = keyed(budget.left());
    const stages = limits.map((limit) => ({ ...limit, stage: stageOf(limit) }));
    before = leftOf(limits);
    const near = stages.filter(({ key, stage }) => stage > (notified.get(key) ?? 0));
    if (near.length === 0) return null;
    for (const { key, stage } of near) notified.set(key, stage);
    const usedUp = near.find(({ stage }) => stage === 3);
    if (usedUp !== undefined)
      return `All ${usedUp.most} tool calls are used up; ${withoutCalls(resultToolName)} ${finalAnswer}`;
    const last = near.some(({ stage }) => stage === 2);
    return `The run is near a limit: ${near.map(({ text: render }) => render).join(', ')} left. ${last ? finalAnswer : 'Come to an end.'}`;
  };
}

function withoutCalls(resultToolName: string | null): string {
  return resultToolName === null
    ? 'answer in words: no tool can be called any more.'
    : `only ${resultToolName}, which takes none of them, can still be called.`;
}

/** Turns after which an open list counts as stale. */
const staleTurns = 8;

/** Reminds of a list that seems forgotten, once until it is written again. */
export function staleTodosReminder(history: Pick<HistoryFold, 'todos' | 'todosAt'>): TurnReminder {
  return staleReminder(
    () => ({
      open: history.todos.filter(({ status }) => status !== 'completed').length,
      at: history.todosAt,
    }),
    (open, since) =>
      `Your task list was not touched for ${since} turns and has ${open === 1 ? 'one open item' : `${open} open items`}. Bring it up to date with todo_write.`,
  );
}

/** The same of the tasks that later runs see too: those that this run made or changed. */
export function staleTasksReminder(history: Pick<HistoryFold, 'tasks'>): TurnReminder {
  return staleReminder(
    () => history.tasks,
    (open, since) =>
      `${open === 1 ? 'One task' : `${open} tasks`} that you made or changed with task_list ${open === 1 ? 'is' : 'are'} open, and you did not look there for ${since} turns. Bring them up to date with task_list; what is meant for later runs may stay open.`,
  );
}

function staleReminder(
  listNow: () => { readonly open: number; readonly at: number },
  render: (open: number, since: number) => string,
): TurnReminder {
  let notifiedAt = -1;
  return ({ turn }) => {
    const { open, at } = listNow();
    const since = turn - at;
    if (open === 0 || since < staleTurns || notifiedAt === at) return null;
    notifiedAt = at;
    return render(open, since);
  };
}

/** Equal results of the same call before a reminder. */
const sameTimes = 3;
/** Maximum calls that are remembered. */
const mostCalls = 200;

/** Reminds at each third call with the same result. A changed file resets the count. */
export function repeatedCallReminder(history: Pick<HistoryFold, 'changes'>): TurnReminder {
  const seen = new Map<string, SeenCall>();
  return ({ calls, results }) => {
    const repeated: string[] = [];
    for (const call of calls) {
      const result = results.find(({ call_id }) => call_id === call.id);
      const times = result === undefined ? 0 : timesSeen(seen, call, result, history.changes);
      if (times > 0 && times % sameTimes === 0)
        repeated.push(`${call.name} has brought the same result ${times} times`);
    }
    for (const key of [...seen.keys()].slice(0, Math.max(0, seen.size - mostCalls))) seen.delete(key);
    if (repeated.length === 0) return null;
    return `${[...new Set(repeated)].join('; ')} for the same input, and nothing has changed since. Do something else, or answer with what you have.`;
  };
}

/** The last result of a call, by its digest, and how often it came without a change. */
interface SeenCall {
  readonly result: string;
  readonly changes: number;
  readonly times: number;
}

/** Counts a result, and returns how often the same call gave it in a row. */
function timesSeen(
  seen: Map<string, SeenCall>,
  call: ToolCallPart,
  { content }: ToolResultPart,
  changes: number,
): number {
  const key = hash('sha1', `${call.name} ${JSON.stringify(call.input)}`);
  const result = hash('sha1', JSON.stringify(content));
  const last = seen.get(key);
  const times = last?.result === result && last.changes === changes ? last.times + 1 : 1;
  // Inserted again, so that the latest calls are forgotten last.
  seen.delete(key);
  seen.set(key, { result, changes, times });
  return times;
}
