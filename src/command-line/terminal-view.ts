import { styleText } from 'node:util';
import type { RunEvent } from '../contract/run-event.ts';
import type { Todo } from '../contract/run-results.ts';
import { plainText } from '../tools/text/plain-text.ts';
import { logLine } from './log-line.ts';
import type { Terminal } from './status-line.ts';
import { wrapText } from './wrap-text.ts';
import { describeEvent } from './write-output.ts';

type Style = Parameters<typeof styleText>[0];

/** Tools whose calls are displayed as the list itself. */
const listTools: readonly string[] = ['todo_write', 'todo_read'];

/**
 * Displays a run on a terminal: the model's text between calls, each call on one line, and changes
 * of the list. The final text is left to the caller.
 */
export function terminalView(terminal: Terminal): (event: RunEvent) => void {
  const width = terminal.columns > 0 ? terminal.columns : 80;
  const styled = (style: Style, text: string) =>
    terminal.coloured ? styleText(style, text, { validateStream: false }) : text;
  let words = '';
  const say = () => {
    const said = plainText(words).trim();
    words = '';
    if (said !== '') terminal.write(`\n${wrapText(said, width)}\n\n`);
  };
  return (event) => {
    if (event.type === 'text.delta') words += event.text;
    else if (event.type === 'run.finished') words = '';
    else if (event.type === 'todos') terminal.write(renderList(event.todos, width, styled));
    else {
      if (event.type === 'tool.call' || event.type === 'turn.started') say();
      const line = lineOf(event, width);
      if (line !== null) terminal.write(`${styled(styleOf(event), line)}\n`);
    }
  };
}

/** The line of an event; null for an event without one. */
function lineOf(event: RunEvent, width: number): string | null {
  if (event.type === 'tool.call' && listTools.includes(event.tool)) return null;
  const line = describeEvent(event);
  if (line === null) return null;
  // Problems and waits are not cut: they say what to do.
  const isCut = event.type !== 'diagnostic' && event.type !== 'model.waiting';
  return isCut ? cut(logLine(line), width) : wrapText(logLine(line), width);
}

function styleOf({ type }: RunEvent): Style {
  if (type === 'tool.result') return 'red';
  if (type === 'child_run.tool_result') return 'red';
  return type === 'diagnostic' || type === 'model.waiting' ? 'yellow' : 'dim';
}

const marks = { completed: '✓', in_progress: '▸', pending: '○' } as const;
const styles = { completed: 'dim', in_progress: 'bold', pending: 'none' } as const;

/** Renders the list: progress, and a line per step with the current activity. */
function renderList(
  todos: readonly Todo[],
  width: number,
  styled: (style: Style, text: string) => string,
): string {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const rows = todos.map(({ status, content, active_form }) => {
    const words = status === 'in_progress' ? (active_form ?? content) : content;
    const lines = wrapText(logLine(words), width - 4).split('\n');
    return lines
      .map((line, index) => styled(styles[status], `  ${index === 0 ? marks[status] : ' '} ${line}`))
      .join('\n');
  });
  return `${[styled('dim', `· ${done} of ${todos.length} steps done`), ...rows].join('\n')}\n`;
}

function cut(line: string, width: number): string {
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}
