import path from 'node:path';
import type { Outcome } from '../contract/outcome.ts';
import type { RunEvent } from '../contract/run-event.ts';
import { quotedWord } from '../sandbox/quoted-word.ts';
import { logLine } from './log-line.ts';
import { keysOf, questionsOf } from './question-keys.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

/**
 * Returns the object of `--output json`, also the last event of `stream-json`. Its names are fixed.
 * `folder` is the record, if the reader can access it; `go_on` is the command that answers a
 * waiting run.
 */
export function runReport(outcome: Outcome, folder: string | null) {
  const goOn = folder === null ? null : commandToGoOn(outcome, folder);
  return {
    conclusion: outcome.conclusion,
    answer: outcome.answer,
    ...(outcome.structured === undefined ? {} : { structured: outcome.structured }),
    stop: outcome.stop && { kind: outcome.stop.kind, message: outcome.stop.detail ?? outcome.stop.message },
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

/** Prints progress: text for people, or one JSON event per line. */
export function eventWriter(format: OutputFormat, write: (text: string) => void): (event: RunEvent) => void {
  if (format === 'json') return () => undefined;
  if (format === 'stream-json') return (event) => write(`${JSON.stringify(event)}\n`);
  return (event) => {
    const line = describeEvent(event);
    if (line !== null) write(`${logLine(line)}\n`);
  };
}

/**
 * Delays `run.finished` until `close`, so that it is the last event and occurs once. Errors at the
 * end of a run precede it and may change it.
 */
export function endLast(write: (event: RunEvent) => void): {
  readonly listen: (event: RunEvent) => void;
  /** `report` is added to the last event. */
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

/** Describes an event in one line; null for an event without display. */
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

/** Returns the first line of a text, cut at 140 characters. */
export function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}

/** Exit codes by conclusion; a public interface. */
export const exitCodes = { success: 0, failure: 1, cancelled: 1, limit: 3, waiting: 4 } as const;

/**
 * Returns the command that answers a waiting run, with a placeholder for the answer; null if the
 * run does not wait.
 */
export function commandToGoOn(
  { run_id, question, pending_approval: approval }: Outcome,
  folder: string,
): string | null {
  const where = `--cwd ${quotedWord(path.resolve(folder, '../..'))}`;
  if (approval !== undefined) return `anode resume ${run_id} approve ${approval.hash} ${where}`;
  if (question === null) return null;
  if (question.questions.length > 0) {
    const keys = keysOf(questionsOf(question)).map((key) => `--answer ${key}="<answer>"`);
    return `anode resume ${run_id} ${keys.join(' ')} ${where}`;
  }
  const hint = question.options.length === 0 ? '<answer>' : '<answer, or the name of an option>';
  return `anode resume ${run_id} "${hint}" ${where}`;
}
