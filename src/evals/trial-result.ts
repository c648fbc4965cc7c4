import type { Usage } from '../contract/usage.ts';

/** A compared combination, which runs all tasks. */
export interface EvalCandidate {
  /** `provider/model`; null for the one that the configuration chooses. */
  readonly model: string | null;
  /** Null for the profile of each task, else of the configuration. */
  readonly profile: string | null;
  /** A text in which `{{prompt}}` stands for the task's prompt; null for the prompt alone. */
  readonly prompt: { readonly name: string; readonly text: string } | null;
  /** `model` calls a model, `transcript` plays a recorded one, `reference` tests the tasks. */
  readonly by: 'model' | 'transcript' | 'reference';
}

/** One run of one task. */
export interface TrialResult {
  readonly task: string;
  /** From 1. */
  readonly attempt: number;
  /** Runs until the check passed or the tries ended; from 1. */
  readonly tries: number;
  /** `error`: the run broke, or its check could not be started. Counts as not passed. */
  readonly result: 'passed' | 'failed' | 'error';
  /** Why it did not pass, in one line; null for a trial that did. */
  readonly why: string | null;
  readonly conclusion: string | null;
  /** The model that answered; null without a run. */
  readonly model: string | null;
  readonly profile: string | null;
  readonly run_id: string | null;
  readonly turns: number;
  readonly usage: Usage;
  /** In US dollars; null if the price is unknown. */
  readonly cost_usd: number | null;
  /** Time of the run, without the check. */
  readonly duration_ms: number;
}

/** A task that was not run, with the reason. */
export interface SkippedTask {
  readonly task: string;
  readonly reason: string;
}

/** All trials of one candidate. */
export interface CandidateResult {
  readonly candidate: EvalCandidate;
  readonly trials: readonly TrialResult[];
}

/** Returns the name of a candidate in a table; what all candidates share is left out. */
export function candidateName(candidate: EvalCandidate): string {
  const model = candidate.by === 'model' ? (candidate.model ?? 'configured model') : candidate.by;
  const profile = candidate.profile === null ? [] : [`profile ${candidate.profile}`];
  const prompt = candidate.prompt === null ? [] : [`prompt ${candidate.prompt.name}`];
  return [model, ...profile, ...prompt].join(', ');
}
