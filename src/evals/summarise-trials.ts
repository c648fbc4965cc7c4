import { smallest } from '../contract/lists.ts';
import type { Usage } from '../contract/usage.ts';
import { addUsage, noUsage } from '../contract/usage-sums.ts';
import type { TrialResult } from './trial-result.ts';

/** The trials of one task. */
export interface TaskSummary {
  readonly task: string;
  readonly passed: number;
  readonly trials: readonly TrialResult[];
}

/** The trials of one candidate. Shares are from 0 to 1. */
export interface Summary {
  readonly tasks: readonly TaskSummary[];
  readonly trials: number;
  readonly passed: number;
  /** Trials that passed at their first try. */
  readonly passed_first: number;
  /** Mean share of passed trials, which is pass@1; 0 without trials. */
  readonly pass_rate: number;
  /** Standard deviation of that share between the attempts; null with one attempt. */
  readonly deviation: number | null;
  /** The highest number of attempts that every task has. */
  readonly k: number;
  /** The share of tasks that one of `k` attempts solves, as an unbiased estimate. */
  readonly pass_at_k: number;
  readonly turns: number;
  readonly usage: Usage;
  /** Null if the price of one trial is unknown. */
  readonly cost_usd: number | null;
  readonly duration_ms: number;
}

/** Adds up the trials of one candidate. */
export function summarise(trials: readonly TrialResult[]): Summary {
  const byTask = Map.groupBy(trials, ({ task }) => task);
  const tasks = [...byTask].map(([task, all]) => ({ task, passed: passedOf(all), trials: all }));
  const k = smallest(tasks.map((one) => one.trials.length));
  const passed = passedOf(trials);
  return {
    ...{ tasks, trials: trials.length, passed, k: tasks.length === 0 ? 0 : k },
    passed_first: passedOf(trials.filter(({ tries }) => tries === 1)),
    pass_rate: share(passed, trials.length),
    deviation: deviationOf(trials),
    pass_at_k: mean(tasks.map((one) => passAt(k, one.trials.length, one.passed))),
    turns: sum(trials.map(({ turns }) => turns)),
    usage: trials.reduce((all, { usage }) => addUsage(all, usage), noUsage),
    cost_usd: trials.some(({ cost_usd }) => cost_usd === null)
      ? null
      : sum(trials.map(({ cost_usd }) => cost_usd ?? 0)),
    duration_ms: sum(trials.map(({ duration_ms }) => duration_ms)),
  };
}

/** The trials of the tasks `GROUP/NAME`. */
export interface GroupSummary extends Omit<Summary, 'tasks'> {
  readonly group: string;
}

/** Adds up the trials by the groups of their tasks; tasks without a group are left out. */
export function summariseGroups(trials: readonly TrialResult[]): GroupSummary[] {
  const grouped = trials.filter(({ task }) => task.includes('/'));
  return [...Map.groupBy(grouped, ({ task }) => task.split('/', 1)[0] ?? '')].map(([group, all]) => {
    const { tasks: _, ...summary } = summarise(all);
    return { group, ...summary };
  });
}

/**
 * Estimates pass@k from `n` trials of which `c` passed: 1 - C(n-c, k) / C(n, k) ("Evaluating Large
 * Language Models Trained on Code", Chen et al. 2021).
 */
export function passAt(k: number, n: number, c: number): number {
  if (n - c < k) return 1;
  let none = 1;
  for (let at = n - c + 1; at <= n; at += 1) none *= 1 - k / at;
  return 1 - none;
}

/** Standard deviation of the pass rates of the attempts, as of a sample. */
function deviationOf(trials: readonly TrialResult[]): number | null {
  const attempts = Map.groupBy(trials, ({ attempt }) => attempt);
  const rates = [...attempts.values()].map((all) => share(passedOf(all), all.length));
  if (rates.length < 2) return null;
  const middle = mean(rates);
  return Math.sqrt(sum(rates.map((rate) => (rate - middle) ** 2)) / (rates.length - 1));
}

const passedOf = (trials: readonly TrialResult[]): number =>
  trials.filter(({ result }) => result === 'passed').length;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const mean = (values: readonly number[]): number => share(sum(values), values.length);
