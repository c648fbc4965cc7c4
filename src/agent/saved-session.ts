import { ConfigError } from '../contract/errors.ts';
import { experimentsOf } from '../contract/experiment-results.ts';
import { omitUndefined } from '../contract/json.ts';
import { nonEmpty } from '../contract/lists.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../contract/message.ts';
import type { RunPlan } from '../contract/plan.ts';
import type { RunEntry, RunLedgerLine } from '../contract/run-ledger.ts';
import { type Question, unanswered } from '../contract/run-results.ts';
import type { SavedSession } from '../contract/session.ts';
import { appendText } from './context/append-text.ts';
import type { AgentResult } from './loop/agent-run.ts';

/**
 * Saves a run that waits. The last user message lacks only the result of the question or of the
 * call to approve. Null if the run does not wait.
 */
export function saveSession(
  result: AgentResult,
  lines: readonly RunLedgerLine[],
  rest: {
    plan: RunPlan | null;
    patch: string;
    storage?: SavedSession['storage'] | null;
    now: Date;
  },
): SavedSession | null {
  if (result.waitingCallId === null) return null;
  const callId = result.waitingCallId;
  const approval = lines.findLast(
    ({ entry }) => entry.type === 'approval.required' && entry.approval.waits === true,
  )?.entry;
  const pending =
    approval?.type === 'approval.required' && approval.approval.call_id === callId
      ? approval.approval
      : undefined;
  const question = pending === undefined ? lastEntry(lines, 'question')?.question : undefined;
  const session = baseSession(result, lines, rest);
  if (session === null || (question === undefined && pending === undefined)) return null;
  return omitUndefined({
    ...session,
    question: question === undefined ? null : { call_id: callId, question },
    approval: pending,
  });
}

/**
 * Saves a run that a limit, a failure or a person ended early, so that it can be resumed. Null for
 * a run that is done, that waits, or that has no messages.
 */
export function saveStopped(...[result, lines, rest]: Parameters<typeof saveSession>): SavedSession | null {
  const { conclusion, stop, waitingCallId } = result;
  const isOver = conclusion === 'success' || conclusion === 'waiting' || waitingCallId !== null;
  if (isOver || stop === null) return null;
  const session = baseSession(result, lines, rest);
  return session === null || session.messages.length === 0 ? null : { ...session, stopped: stop.message };
}

/** Saves any run, without a question. */
function baseSession(...[result, lines, rest]: Parameters<typeof saveSession>): SavedSession | null {
  const started = lastEntry(lines, 'run.started');
  if (started === undefined) return null;
  return omitUndefined({
    version: 1 as const,
    run_id: started.run_id,
    session_id: started.session_id,
    plan: rest.plan,
    messages: [...result.messages],
    question: null,
    todos: lastEntry(lines, 'todos')?.todos ?? [],
    approvals: allOf(lines, 'approval.required').flatMap(({ approval: one }) =>
      one.waits === true ? [] : [one],
    ),
    decided: nonEmpty(allOf(lines, 'approval.decided').map((entry) => entry.decided)),
    grants: nonEmpty(allOf(lines, 'grant').map((entry) => entry.grant)),
    findings: lastEntry(lines, 'findings')?.findings ?? [],
    experiment: experimentOf(allOf(lines, 'experiment')),
    instructions: nonEmpty(allOf(lines, 'instructions').map((entry) => entry.activated)),
    committed: committedOf(allOf(lines, 'answer.committed')),
    storage: rest.storage ?? undefined,
    usage: result.usage,
    turns: result.turns,
    tool_calls: allOf(lines, 'tool.call').length + (started.before?.tool_calls ?? 0),
    cost_usd: result.costUsd,
    duration_ms: Math.round(result.durationMs),
    uncounted: started.uncounted,
    history: result.history,
    patch: rest.patch,
    base_sha: started.base_sha,
    start: started.start,
    profile: started.profile,
    model: started.model,
    preset: started.preset,
    saved_at: rest.now.toISOString(),
  });
}

/** Returns the newest experiment, which continues. */
function experimentOf(entries: readonly EntryOf<'experiment'>[]): SavedSession['experiment'] {
  const last = entries.at(-1);
  return experimentsOf(entries.filter(({ experiment }) => experiment.id === last?.experiment.id))[0];
}

/** Returns the message so far, as the ledger has it: without secrets. */
function committedOf(commits: readonly EntryOf<'answer.committed'>[]): SavedSession['committed'] {
  const last = commits.at(-1);
  if (last === undefined) return undefined;
  const from = commits.findLastIndex(({ mode }) => mode === 'replace');
  const parts = commits.slice(Math.max(from, 0)).map(({ text }) => text);
  return { path: last.path, text: parts.join('') };
}

/** Returns the conversation of a waiting session with its question answered. */
export function answerSession(session: SavedSession, answer: string, note: string | null): Message[] {
  const { question } = session;
  if (question === null) throw unfit(session);
  const text = labelAnswer(question.question, answer);
  return completeSession(
    session,
    { type: 'tool_result', call_id: question.call_id, content: [{ type: 'text', text }], is_error: false },
    note,
  );
}

/**
 * Returns the conversation of a stopped session with a text to resume it. Calls without a result
 * get one that says so. `added`: text of the requester, '' for none.
 */
export function continueSession(session: SavedSession, added: string, note: string | null): Message[] {
  const text = [
    `The run was stopped: ${session.stopped ?? ''} It goes on now, with limits of its own. Go on with the task from where you are.`,
    ...(added === '' ? [] : [`The requester adds:\n${added}`]),
    ...(note === null ? [] : [note]),
  ].join('\n\n');
  return appendText(session.messages, text);
}

/** Returns the call that waits for approval, as the model made it. */
export function waitingCall(session: SavedSession): ToolCallPart {
  const id = session.approval?.call_id;
  const parts = session.messages.flatMap(({ parts: all }) => [...all]);
  const call = parts.findLast((part) => part.type === 'tool_call' && part.id === id);
  if (call?.type !== 'tool_call') throw unfit(session);
  return call;
}

/**
 * Returns the conversation of a waiting session with its missing result. The next request continues
 * it as if the tool had returned. `note`: what else changed, for the model.
 */
export function completeSession(
  session: SavedSession,
  result: ToolResultPart,
  note: string | null,
): Message[] {
  const last = session.messages.at(-1);
  if (last === undefined || last.role !== 'user') throw unfit(session);
  const results = last.parts.filter((part) => part.type === 'tool_result');
  const others = last.parts.filter((part) => part.type !== 'tool_result');
  const added = note === null ? [] : [{ type: 'text' as const, text: note }];
  // Providers refuse other content before tool results.
  return [
    ...session.messages.slice(0, -1),
    { role: 'user', parts: [...results, result, ...others, ...added] },
  ];
}

function unfit(session: SavedSession): ConfigError {
  return new ConfigError(`The saved session ${session.session_id} does not end with an open question.`);
}

function allOf<Type extends RunEntry['type']>(lines: readonly RunLedgerLine[], type: Type): EntryOf<Type>[] {
  return lines.flatMap(({ entry }) => (entry.type === type ? [entry as EntryOf<Type>] : []));
}

/**
 * Labels an answer so that the model cannot mistake it for an instruction. An option that is chosen
 * by id, number or label is named in full.
 */
export function labelAnswer({ options }: Pick<Question, 'options'>, answer: string): string {
  // The text for a missing answer needs no label.
  if (answer.startsWith(unanswered)) return answer;
  const choice = answer.trim().toLowerCase();
  const chosen = options.find(({ id, label }, index) =>
    [id.toLowerCase(), label.toLowerCase(), String(index + 1)].includes(choice),
  );
  return chosen === undefined
    ? `The user answered: ${answer}`
    : `The user chose: ${chosen.id} (${chosen.label})`;
}

type EntryOf<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** Returns the newest entry of a type. */
function lastEntry<Type extends RunEntry['type']>(
  lines: readonly RunLedgerLine[],
  type: Type,
): EntryOf<Type> | undefined {
  const line = lines.findLast((one) => one.entry.type === type);
  return line?.entry as EntryOf<Type> | undefined;
}
