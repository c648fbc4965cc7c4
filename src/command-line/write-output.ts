import type { Outcome } from '../contract/outcome.ts';
import type { RunEvent } from '../contract/run-event.ts';
import { commandToGoOn } from './command-to-go-on.ts';
import { logLine } from './log-line.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/**
 * The object that `--output json` prints of a run, and the last event of `stream-json`; one object, fixed names. `folder` holds its record, where it is
 * kept for whoever reads this; `go_on` is the command that answers what the run waits for.
 */
export function runReport(outcome: Outcome, folder: string | null) {
  const goOn = folder === null ? null : commandToGoOn(outcome, folder);
  return {
    conclusion: outcome.conclusion,
    answer: outcome.answer,
    stop: outcome.stop,
    run_id: outcome.run_id,
    session_id: outcome.session_id,
    turns: outcome.turns,
    usage: outcome.usage,
    cost_usd: outcome.cost_usd,
    changes: outcome.changes.files.map(({ path, kind, diff }) => ({ path, kind, diff })),
    findings: outcome.findings,
    refusals: outcome.refusals,
    question: outcome.question,
    approvals: outcome.approvals,
    ...(outcome.pending_approval === undefined ? {} : { pending_approval: outcome.pending_approval }),
    ...(outcome.decided === undefined ? {} : { decided: outcome.decided }),
    ...(outcome.grants === undefined ? {} : { grants: outcome.grants }),
    handoffs: outcome.handoffs,
    ...(folder === null ? {} : { record: folder }),
    ...(goOn === null ? {} : { go_on: goOn }),
  };
}

/** Prints a run as it goes: text for people on the way, or one JSON event a line. */
export function eventWriter(format: OutputFormat, write: (text: string) => void): (event: RunEvent) => void {
  if (format === 'json') return () => undefined;
  if (format === 'stream-json') return (event) => write(`${JSON.stringify(event)}\n`);
  return (event) => {
    const line = describeEvent(event);
    if (line !== null) write(`${logLine(line)}\n`);
  };
}

/**
 * Holds back `run.finished` until `close`, so that it is the last event, and the only one of its kind: what fails while a run is
 * ended is told before it, and may change it.
 */
export function endLast(write: (event: RunEvent) => void): {
  readonly listen: (event: RunEvent) => void;
  /** `report`: what is told of the run at its end, besides. */
  readonly close: (report?: ReturnType<typeof runReport>) => void;
} {
  let end: Extract<RunEvent, { type: 'run.finished' }> | null = null;
  return {
    listen(event) {
      if (event.type === 'run.finished') end = event;
      else write(event);
    },
    close(report) {
      if (end !== null) write({ ...end, ...report });
      end = null;
    },
  };
}

/** One line on an event for people; null for one that they need not see. */
export function describeEvent(event: RunEvent): string | null {
  switch (event.type) {
    case 'tool.call':
      return `· ${event.tool} ${firstLine(event.what)}`.trimEnd();
    case 'tool.result':
      return event.ok ? null : `  ${firstLine(event.content)}`;
    case 'child_run.started':
      return `· child run: ${event.title}`;
    case 'child_run.tool_call':
      return `  ${event.title}: ${event.tool} ${firstLine(event.what)}`.trimEnd();
    case 'child_run.tool_result':
      return event.ok ? null : `    ${firstLine(event.content)}`;
    case 'child_run.result':
      return `· child run ended: ${event.conclusion}, ${event.turns} turn${event.turns === 1 ? '' : 's'}: ${firstLine(event.summary)}`;
    case 'setup':
      return event.state === 'failed' ? null : `· set-up ${event.state}: ${firstLine(event.what)}`;
    case 'diagnostic':
    case 'model.waiting':
      return `! ${event.message}`;
    default:
      return null;
  }
}

/** The first line of a text, at most 140 characters of it. */
export function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}

/** Exit codes of a run, as programs rely on them. */
export const exitCodes = { success: 0, failure: 1, cancelled: 1, limit: 3, waiting: 4 } as const;
