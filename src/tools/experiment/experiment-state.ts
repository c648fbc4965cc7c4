import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import type { Experiment, ExperimentHistory } from '../../contract/experiment.ts';
import { bestRun, gainOver } from '../../contract/experiment-results.ts';
import { integer, unlessNull } from '../input/lenient.ts';
import { scriptIn, scriptOf } from '../shell/script-of.ts';
import type { ToolContext } from '../tool.ts';

/**
 * Returns the experiment of a run. Throws `ToolError` if none was begun, and in a child, whose
 * parent works on the same files.
 */
export function currentExperiment({ state }: Pick<ToolContext, 'state'>): ExperimentHistory {
  refuseInChild({ state });
  const current = state.experiment ?? null;
  if (current !== null) return current;
  throw new ToolError('unavailable', 'No experiment was begun. Call init_experiment first.');
}

/** Refuses experiments in a child: they revert files that others work on. */
export function refuseInChild({ state }: Pick<ToolContext, 'state'>): void {
  if (state.name === undefined) return;
  throw new ToolError(
    'unavailable',
    'A child works on the files of its parent, and experiments revert files: only the parent can run them. Say in your answer what should be measured.',
  );
}

/** Stores the current state of an experiment, and records it with its newly logged runs. */
export function saveExperiment(
  { state, record }: Pick<ToolContext, 'state' | 'record'>,
  history: ExperimentHistory,
): void {
  const known = state.experiment?.experiment.id === history.experiment.id ? state.experiment.runs.length : 0;
  state.experiment = history;
  record({ type: 'experiment', experiment: history.experiment, runs: history.runs.slice(known) });
}

/** Renders a value with its unit: `12.5 ms`, `98 %`. */
export function withUnit(value: number, { unit }: Pick<Experiment, 'unit'>): string {
  const short = Number(value.toPrecision(6));
  return unit === undefined || unit === '' ? String(short) : `${short} ${unit}`;
}

/** Compares a value with the baseline and the best so far. Empty if there is neither. */
export function compareValue(value: number, history: ExperimentHistory): string {
  const { experiment, runs } = history;
  const baseline = runs.find(({ status }) => status === 'baseline')?.value ?? null;
  const best = bestRun(history);
  const comparison = (reference: number, name: string): string[] => {
    const gain = gainOver(reference, value, experiment.direction);
    if (gain === null) return [`${name} ${withUnit(reference, experiment)}`];
    const much = `${Math.abs(gain).toFixed(Math.abs(gain) < 10 ? 2 : 1)} %`;
    const verdict = gain === 0 ? 'the same as' : `${much} ${gain > 0 ? 'better' : 'worse'} than`;
    return [`${verdict} ${name} (${withUnit(reference, experiment)})`];
  };
  return [
    ...(baseline === null ? [] : comparison(baseline, 'the baseline')),
    ...(best === undefined || best.status === 'baseline'
      ? []
      : comparison(best.value, `the best, run ${best.number}`)),
  ].join(', ');
}

/** Maximum runs listed one by one, the newest. */
const mostListed = 12;

/** Renders the history for the model, the newest last. */
export function historyLines(history: ExperimentHistory): string {
  const { experiment, runs } = history;
  const best = bestRun(history);
  const lines = runs.slice(-mostListed).map(({ number, status, value, stated, description }) => {
    const statedNote = stated === true ? ', stated' : '';
    const measured = value === null ? 'no value' : `${withUnit(value, experiment)}${statedNote}`;
    const mark = best?.number === number ? ' (best)' : '';
    return `${number}. ${status} ${measured}${mark}${description === '' ? '' : `: ${shortly(description)}`}`;
  });
  const left = runs.length - lines.length;
  return [...(left > 0 ? [`(${left} earlier runs)`] : []), ...lines].join('\n');
}

function shortly(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

const longestTimeoutMs = 1_800_000;

/** Default timeouts of a run and its checks, in milliseconds. */
export const defaultTimeouts = { run: 600_000, checks: 300_000 } as const;

/** Schema of an optional command, in the forms `bash` takes. */
export function commandSchema() {
  return unlessNull(
    z
      .union([z.string().trim().min(1).transform(scriptIn), z.array(z.string()).min(1).transform(scriptOf)])
      .meta({ type: 'string', anyOf: undefined }),
  );
}

/** Schema of an optional timeout in milliseconds, capped at 30 minutes. */
export function timeoutSchema() {
  return unlessNull(integer(z.int().positive()).transform((ms) => Math.min(ms, longestTimeoutMs)));
}
