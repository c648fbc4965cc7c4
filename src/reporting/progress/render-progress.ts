import type { RunEvent } from '../../contract/run-event.ts';
import type { Todo } from '../../contract/run-results.ts';
import { codeSpan, countOf, cutList, cutText, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';

const mostTodos = 50;

/** Renders the agent's list as a task list: at most 50 items, one line each, neutralised. */
export function renderTodoChecklist(todos: readonly Todo[]): string {
  return cutList(todos, mostTodos, (todo) => {
    const text = publicCut(oneLine(todo.content), 300, '…');
    if (todo.status === 'completed') return `- [x] ${text}`;
    return todo.status === 'in_progress' ? `- [ ] **${text}**` : `- [ ] ${text}`;
  });
}

/** Dollars for people: cents from ten cents on, otherwise what shows a difference. */
export function renderCost(costUsd: number): string {
  return `$${costUsd.toFixed(costUsd >= 0.1 || costUsd === 0 ? 2 : 4)}`;
}

const headings = {
  starting: '**Working on it.**',
  running: '**Working on it.**',
  waiting: '**Waiting for an answer.**',
  finished: '**Writing the report.**',
} as const;

/** True if a comment displays an active run: no report replaced it yet. */
export function isProgress(body: string): boolean {
  return isAtWork(body) || shows(body, headings.waiting);
}

/** The same of a run that does not wait for a person: something works on it. */
export function isAtWork(body: string): boolean {
  return shows(body, headings.running) || shows(body, headings.finished);
}

const shows = (body: string, heading: string): boolean =>
  body.startsWith(`${heading}\n`, body.indexOf('\n') + 1);

/** Renders the progress comment without its marker. `runUrl` links to the log. */
export function renderProgress(view: ProgressView, runUrl: string | null): string {
  const facts = [
    view.turn === 0 ? 'Starting' : `Turn ${view.turn}${view.maxTurns === null ? '' : ` of ${view.maxTurns}`}`,
    ...(view.costUsd === null || view.costUsd === 0 ? [] : [renderCost(view.costUsd)]),
    ...(view.todos.length === 0 ? [] : [doneOf(view.todos)]),
    ...(runUrl === null ? [] : [`[run](${runUrl})`]),
  ];
  const heading = headings[view.state];
  const now = view.activity === null ? '' : `Now: ${codeSpan(activityText(view.activity))}`;
  return [heading, renderTodoChecklist(view.todos), now, `<sub>${facts.join(' · ')}</sub>`]
    .filter((part) => part !== '')
    .join('\n\n');
}

function activityText({ tool, what }: { tool: string; what: string }): string {
  return cutText(oneLine(`${tool} ${what}`), 160, '…');
}

function doneOf(todos: readonly Todo[]): string {
  const done = todos.filter((todo) => todo.status === 'completed').length;
  return `${done} of ${countOf(todos.length, 'step')} done`;
}

/** The state that the progress comment displays. `costUsd` is null if a price is unknown. */
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

/** A run without known progress. */
export const startingView: ProgressView = {
  todos: [],
  turn: 0,
  maxTurns: null,
  costUsd: 0,
  activity: null,
  state: 'starting',
};

/**
 * Returns the view after an event. Irrelevant events return the same object, so that a listener can
 * compare identity.
 */
export function foldProgress(view: ProgressView, event: RunEvent): ProgressView {
  switch (event.type) {
    case 'run.started':
      return event.parent_run_id === null ? startedView(view, event) : view;
    case 'turn.started':
      return { ...view, turn: event.turn, state: 'running' };
    case 'model.waiting':
      return { ...view, activity: { tool: '', what: waitingText(event) } };
    case 'usage':
      return costedView(view, event.cost_usd);
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

/** The limit applies only to this run, but turns count from the start of the session. */
function startedView(view: ProgressView, event: Extract<RunEvent, { type: 'run.started' }>): ProgressView {
  const { max_turns: most, before } = event;
  return { ...view, maxTurns: most === null ? null : most + (before?.turns ?? 0), state: 'running' };
}

/** The model has answered, so a wait for it is over. */
function costedView(view: ProgressView, cost: number | null): ProgressView {
  const costUsd = view.costUsd === null || cost === null ? null : view.costUsd + cost;
  return { ...view, activity: view.activity?.tool === '' ? null : view.activity, costUsd };
}

/** Renders why the run waits for the model. Address and provider's message stay in the record. */
export function waitingText(event: Extract<RunEvent, { type: 'model.waiting' }>): string {
  const { reason, attempt, attempts } = event;
  const why = reason === 'silent' ? 'it is silent' : reason.replaceAll('_', ' ');
  return `Waiting for the model: ${why}, try ${attempt} of ${attempts}`;
}
