import type { RunEvent } from '../../contract/run-ledger.ts';
import type { Todo } from '../../contract/run-results.ts';

/** What the progress comment shows of a run. `costUsd` is null where a price is not known. */
export interface ProgressView {
  readonly todos: readonly Todo[];
  readonly turn: number;
  /** The turn that a limit ends the run at, counted like `turn`: from the start of its session. */
  readonly maxTurns: number | null;
  readonly costUsd: number | null;
  /** The tool call going on, or null while the model thinks. */
  readonly activity: { readonly tool: string; readonly what: string } | null;
  readonly state: 'starting' | 'running' | 'waiting' | 'finished';
}

/** A run of which nothing is known yet. */
export const startingView: ProgressView = {
  todos: [],
  turn: 0,
  maxTurns: null,
  costUsd: 0,
  activity: null,
  state: 'starting',
};

/**
 * The view after one more event. Events that show nothing give back the same object, so that a listener can
 * tell by identity that there is nothing to do.
 */
export function foldProgress(view: ProgressView, event: RunEvent): ProgressView {
  switch (event.type) {
    case 'run.started':
      if (event.parent_run_id !== null) return view;
      return { ...view, maxTurns: sessionTurns(event), state: 'running' };
    case 'turn.started':
      return { ...view, turn: event.turn, state: 'running' };
    case 'model.waiting':
      return { ...view, activity: { tool: '', what: waitingWords(event) } };
    case 'usage': {
      const unknown = view.costUsd === null || event.cost_usd === null;
      // The model has answered: nobody waits for it any more.
      const activity = view.activity?.tool === '' ? null : view.activity;
      return { ...view, activity, costUsd: unknown ? null : (view.costUsd ?? 0) + (event.cost_usd ?? 0) };
    }
    case 'tool.call':
      return { ...view, activity: { tool: event.tool, what: event.what } };
    case 'tool.result':
      return view.activity === null ? view : { ...view, activity: null };
    case 'setup':
      return { ...view, activity: event.state === 'started' ? { tool: 'set-up', what: event.what } : null };
    case 'child_run.started':
      return { ...view, activity: { tool: event.profile, what: event.title } };
    case 'todos':
      return { ...view, todos: event.todos };
    case 'approval.required':
      return event.approval.waits === true ? { ...view, activity: null, state: 'waiting' } : view;
    case 'question':
      return { ...view, activity: null, state: 'waiting' };
    case 'run.finished':
      return { ...view, activity: null, state: event.conclusion === 'waiting' ? 'waiting' : 'finished' };
    default:
      return view;
  }
}

/** The limit holds for this run alone, while its turns are counted on from those of the runs before. */
function sessionTurns({ max_turns, before }: Extract<RunEvent, { type: 'run.started' }>): number | null {
  return max_turns === null ? null : max_turns + (before?.turns ?? 0);
}

/** Why the model is waited for. Its address and the provider's words stay in the run's record. */
function waitingWords(event: Extract<RunEvent, { type: 'model.waiting' }>): string {
  const { reason, attempt, attempts } = event;
  const why = reason === 'silent' ? 'it is silent' : reason.replaceAll('_', ' ');
  return `Waiting for the model: ${why}, try ${attempt} of ${attempts}`;
}
