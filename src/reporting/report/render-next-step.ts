import { actionInputs } from '../../contract/action-inputs.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { codeSpan } from '../text/markdown.ts';
import { limitKeys } from './limit-keys.ts';

/**
 * Returns how to continue an unfinished run; '' if there is nothing to do. `mention` is the word of
 * commands.
 */
export function renderNextStep(outcome: Outcome, plan: RunPlan, mention: string | null = null): string {
  if (outcome.pending_approval !== undefined) {
    return 'Approve or deny it and the run goes on from where it is, with everything it did so far.';
  }
  if (outcome.conclusion === 'waiting') {
    return 'Answer the question and the run goes on from where it is, with everything it did so far.';
  }
  if (outcome.conclusion === 'success') return '';
  // A workflow may store nothing between its runs.
  const goOn =
    mention !== null && plan.source.kind === 'app' && plan.thread !== null
      ? codeSpan(`/${mention} continue`)
      : null;
  const kind = outcome.stop?.kind;
  const key = kind === undefined ? undefined : limitKeys[kind];
  if (key !== undefined)
    return goOn === null
      ? `To go on: ask again with what is left to do, or raise ${limitPlace(key, plan)}.`
      : `To go on from here, with a limit of its own: ${goOn}. Or raise ${limitPlace(key, plan)}.`;
  switch (kind) {
    // Their messages say what to do.
    case 'provider_refused':
    case 'provider_failed':
    case 'superseded':
      return '';
    case 'answer_invalid':
      return 'To go on: make the output schema simpler, or choose another model.';
    case 'sandbox_missing':
      return 'To go on: run `anode doctor` on the machine that runs this and install what it names.';
    case 'internal_error':
      return 'To go on: look into the record of the run for the whole error, then ask again.';
    case 'cancelled':
      return goOn === null
        ? 'To start over, ask again.'
        : `To go on from here: ${goOn}. To start over, ask again.`;
    default:
      return 'To go on: look into the log of the run for the cause, then ask again.';
  }
}

/** The flags of a request that set a limit, by its key. */
const limitFlags: Readonly<Record<string, string>> = {
  'limits.maxTurns': 'turns=',
  'limits.maxCostUsd': 'budget=',
};

/** Returns what raises a limit: the flag or input that set it, else its key and file. */
function limitPlace(key: string, plan: RunPlan): string {
  const { limits_by_flag: byFlag = [], limits_by_input: byInput = [], config_file: file } = plan;
  const flag = limitFlags[key];
  if (flag !== undefined && byFlag.includes(key))
    return `${codeSpan(flag)} in the request, which set the limit`;
  const input = Object.entries(actionInputs).find(([, one]) => one.key === key)?.[0];
  if (input !== undefined && byInput.includes(key)) return `the input ${codeSpan(input)} of the workflow`;
  return `${codeSpan(key)} in ${codeSpan(file ?? '.github/anode.yml')}`;
}
