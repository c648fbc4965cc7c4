import type { Todo } from '../../contract/run-results.ts';
import { codeSpan, countOf, cutText, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import type { ProgressView } from './progress-view.ts';

const shownTodos = 50;

/**
 * The agent's list as a task list. At most 50 items; their text is the model's, made harmless and put on one
 * line each.
 */
export function renderTodos(todos: readonly Todo[]): string {
  const lines = todos.slice(0, shownTodos).map((todo) => {
    const text = publicCut(oneLine(todo.content), 300, '…');
    if (todo.status === 'completed') return `- [x] ${text}`;
    return todo.status === 'in_progress' ? `- [ ] **${text}**` : `- [ ] ${text}`;
  });
  const rest = todos.length - shownTodos;
  return [...lines, ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n');
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

/** Whether a comment, under its marker, shows a run that goes on: no report stands over it yet. */
export function isProgress(body: string): boolean {
  return isAtWork(body) || shows(body, headings.waiting);
}

/** The same of a run that does not wait for a person: something works on it. */
export function isAtWork(body: string): boolean {
  return shows(body, headings.running) || shows(body, headings.finished);
}

const shows = (body: string, heading: string): boolean =>
  body.startsWith(`${heading}\n`, body.indexOf('\n') + 1);

/** The progress comment while a run goes on, without its marker. `runUrl` is where its log can be read. */
export function renderProgress(view: ProgressView, runUrl: string | null): string {
  const facts = [
    view.turn === 0 ? 'Starting' : `Turn ${view.turn}${view.maxTurns === null ? '' : ` of ${view.maxTurns}`}`,
    ...(view.costUsd === null || view.costUsd === 0 ? [] : [renderCost(view.costUsd)]),
    ...(view.todos.length === 0 ? [] : [doneOf(view.todos)]),
    ...(runUrl === null ? [] : [`[run](${runUrl})`]),
  ];
  const heading = headings[view.state];
  const now = view.activity === null ? '' : `Now: ${codeSpan(activityText(view.activity))}`;
  return [heading, renderTodos(view.todos), now, `<sub>${facts.join(' · ')}</sub>`]
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
