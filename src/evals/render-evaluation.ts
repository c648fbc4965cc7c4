import { largest } from '../contract/lists.ts';
import type { Usage } from '../contract/usage.ts';
import {
  type GroupSummary,
  type Summary,
  summarise,
  summariseGroups,
  type TaskSummary,
} from './summarise-trials.ts';
import { type CandidateResult, candidateName, type SkippedTask } from './trial-result.ts';

/**
 * Renders an evaluation as tables: for each candidate its tasks, then a line for each candidate if
 * there are several.
 */
export function renderEvaluation(
  results: readonly CandidateResult[],
  skipped: readonly SkippedTask[],
): string {
  const summaries = results.map(({ candidate, trials }) => ({
    name: candidateName(candidate),
    summary: summarise(trials),
    groups: summariseGroups(trials),
  }));
  const sections = summaries.map(({ name, summary, groups }) =>
    [
      ...[name, ...table([taskHeads, ...summary.tasks.map(taskRow)])],
      ...(groups.length === 0 ? [] : table([groupHeads, ...groups.map(groupRow)])),
      totalOf(summary),
    ].join('\n'),
  );
  const compared =
    summaries.length < 2
      ? []
      : [
          table([candidateHeads, ...summaries.map(({ name, summary }) => candidateRow(name, summary))]).join(
            '\n',
          ),
        ];
  const left = skippedLines(skipped);
  return `${[...sections, ...compared, ...(left.length === 0 ? [] : [left.join('\n')])].join('\n\n')}\n`;
}

/** Returns an evaluation as the object of `--json`. Its names are fixed. */
export function evaluationReport(results: readonly CandidateResult[], skipped: readonly SkippedTask[]) {
  const candidates = results.map(({ candidate, trials }) => {
    const { tasks, ...summary } = summarise(trials);
    return {
      ...{ by: candidate.by, model: candidate.model, profile: candidate.profile },
      ...{ prompt: candidate.prompt?.name ?? null, ...summary, groups: summariseGroups(trials), tasks },
    };
  });
  return { v: 1, candidates, skipped };
}

const taskHeads = ['task', 'result', 'turns', 'tokens', 'cost', 'time'];
const groupHeads = ['group', 'passed', 'rate', 'first try', 'turns', 'tokens', 'cost', 'time'];
const candidateHeads = ['candidate', 'passed', 'rate', 'tokens', 'cost', 'time'];

function taskRow({ task, passed, trials }: TaskSummary): string[] {
  const { turns, usage, cost_usd, duration_ms } = summarise(trials);
  const [first] = trials;
  const result = trials.length === 1 ? (first?.result ?? '') : `${passed}/${trials.length}`;
  return [task, result, String(turns), tokens(usage), cost(cost_usd), time(duration_ms)];
}

function groupRow({ group, passed, passed_first, trials, turns, ...summary }: GroupSummary): string[] {
  const { pass_rate, usage, cost_usd, duration_ms } = summary;
  return [
    ...[group, `${passed}/${trials}`, percent(pass_rate), String(passed_first), String(turns)],
    ...[tokens(usage), cost(cost_usd), time(duration_ms)],
  ];
}

function candidateRow(name: string, { passed, trials, ...summary }: Summary): string[] {
  const { pass_rate, usage, cost_usd, duration_ms } = summary;
  return [
    ...[name, `${passed}/${trials}`, percent(pass_rate)],
    ...[tokens(usage), cost(cost_usd), time(duration_ms)],
  ];
}

function totalOf({ passed, trials, pass_rate, deviation, k, pass_at_k, ...spent }: Summary): string {
  const spread = deviation === null ? '' : ` ± ${percent(deviation)}; pass@${k} ${percent(pass_at_k)}`;
  const used = `${tokens(spent.usage)} tokens, ${cost(spent.cost_usd)}, ${time(spent.duration_ms)}`;
  return `${passed} of ${trials} passed (${percent(pass_rate)}${spread}), ${used}`;
}

/** The most names of skipped tasks for one reason. */
const mostNamed = 5;

function skippedLines(skipped: readonly SkippedTask[]): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, tasks]) => {
    const names = tasks.slice(0, mostNamed).map(({ task }) => task);
    const rest = tasks.length > mostNamed ? ` and ${tasks.length - mostNamed} more` : '';
    return `Skipped ${tasks.length}: ${reason} (${names.join(', ')}${rest})`;
  });
}

/** Aligns columns: the first to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    largest(
      rows.map((row) => row[at]?.length ?? 0),
      0,
    ),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .replace(/^/, '  '),
  );
}

const tokens = ({ input, output, cache_read, cache_write }: Usage): string =>
  (input + output + cache_read + cache_write).toLocaleString('en-US');
const cost = (dollars: number | null): string =>
  dollars === null ? 'cost unknown' : `$${dollars.toFixed(4)}`;
const time = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const percent = (value: number): string => `${Math.round(value * 1000) / 10} %`;
