import { ConfigError } from '../contract/errors.ts';
import { experimentsOf } from '../contract/experiment.ts';
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
    approval?.type === 'approval.required' && approval.approval.call_id === callId ? approval.approval : null;
  const question = lastEntry(lines, 'question');
  if (question === undefined && pending === null) return null;
  const session = baseSession(result, lines, rest);
  return session === null
    ? null
    : {
        ...session,
        question:
          pending === null && question !== undefined
            ? { call_id: callId, question: question.question }
            : null,
        ...(pending === null ? {} : { approval: pending }),
      };
}

/**
 * Saves a run that a limit, a failure or a person ended early, so that it can go on. Null for a run
 * that is done, that waits, or that never said anything.
 */
export function saveStopped(...[result, lines, rest]: Parameters<typeof saveSession>): SavedSession | null {
  const { conclusion, stop, waitingCallId } = result;
  const over = conclusion === 'success' || conclusion === 'waiting' || waitingCallId !== null;
  if (over || stop === null) return null;
  const session = baseSession(result, lines, rest);
  return session === null || session.messages.length === 0 ? null : { ...session, stopped: stop.message };
}

/** Saves any run, without a question. */
function baseSession(...[result, lines, rest]: Parameters<typeof saveSession>): SavedSession | null {
  const started = lastEntry(lines, 'run.started');
  if (started === undefined) return null;
  const decided = allOf(lines, 'approval.decided').map((entry) => entry.decided);
  const grants = allOf(lines, 'grant').map((entry) => entry.grant);
  const instructions = allOf(lines, 'instructions').map((entry) => entry.activated);
  return {
    version: 1,
    run_id: started.run_id,
    session_id: started.session_id,
    plan: rest.plan,
    messages: [...result.messages],
    question: null,
    todos: lastEntry(lines, 'todos')?.todos ?? [],
    approvals: allOf(lines, 'approval.required').flatMap(({ approval: one }) =>
      one.waits === true ? [] : [one],
    ),
    ...(decided.length === 0 ? {} : { decided }),
    ...(grants.length === 0 ? {} : { grants }),
    findings: lastEntry(lines, 'findings')?.findings ?? [],
    ...experimentOf(allOf(lines, 'experiment')),
    ...(instructions.length === 0 ? {} : { instructions }),
    ...committedOf(allOf(lines, 'answer.committed')),
    ...(rest.storage == null ? {} : { storage: rest.storage }),
    usage: result.usage,
    turns: result.turns,
    tool_calls: allOf(lines, 'tool.call').length + (started.before?.tool_calls ?? 0),
    cost_usd: result.costUsd,
    duration_ms: Math.round(result.durationMs),
    ...(started.uncounted === undefined ? {} : { uncounted: started.uncounted }),
    history: result.history,
    patch: rest.patch,
    base_sha: started.base_sha,
    ...(started.start === undefined ? {} : { start: started.start }),
    profile: started.profile,
    model: started.model,
    preset: started.preset,
    saved_at: rest.now.toISOString(),
  };
}

/** The experiment that goes on, which is the newest. */
function experimentOf(entries: readonly EntryOf<'experiment'>[]): Pick<SavedSession, 'experiment'> {
  const last = entries.at(-1);
  const own = entries.filter(({ experiment }) => experiment.id === last?.experiment.id);
  const [experiment] = experimentsOf(own);
  return experiment === undefined ? {} : { experiment };
}

/** The message so far, as the record has it: without secrets. */
function committedOf(commits: readonly EntryOf<'answer.committed'>[]): Pick<SavedSession, 'committed'> {
  const last = commits.at(-1);
  if (last === undefined) return {};
  const from = commits.findLastIndex(({ mode }) => mode === 'replace');
  const parts = commits.slice(Math.max(from, 0)).map(({ text }) => text);
  return { committed: { path: last.path, text: parts.join('') } };
}

/** The conversation of a waiting session with its question answered. */
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
 * The conversation of a session that was stopped, with the word to go on: calls without a result
 * get one that says so. `added` is what the person adds, '' for nothing.
 */
export function continueSession(session: SavedSession, added: string, note: string | null): Message[] {
  const text = [
    `The run was stopped: ${session.stopped ?? ''} It goes on now, with limits of its own. Go on with the task from where you are.`,
    ...(added === '' ? [] : [`The requester adds:\n${added}`]),
    ...(note === null ? [] : [note]),
  ].join('\n\n');
  return appendText(session.messages, text);
}

/** The call of a waiting session that its approval is about, as the model made it. */
export function waitingCall(session: SavedSession): ToolCallPart {
  const id = session.approval?.call_id;
  const parts = session.messages.flatMap(({ parts: all }) => [...all]);
  const call = parts.findLast((part) => part.type === 'tool_call' && part.id === id);
  if (call?.type !== 'tool_call') throw unfit(session);
  return call;
}

/**
 * The conversation of a waiting session with the result it lacks: the next request continues it as
 * if the tool had returned. `note` tells the model what else changed meanwhile.
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
  const said = note === null ? [] : [{ type: 'text' as const, text: note }];
  // Tool results come first in a message: providers refuse other content before them.
  return [
    ...session.messages.slice(0, -1),
    { role: 'user', parts: [...results, result, ...others, ...said] },
  ];
}

function unfit(session: SavedSession): ConfigError {
  return new ConfigError(`The saved session ${session.session_id} does not end with an open question.`);
}

function allOf<Type extends RunEntry['type']>(lines: readonly RunLedgerLine[], type: Type): EntryOf<Type>[] {
  return lines.flatMap(({ entry }) => (entry.type === type ? [entry as EntryOf<Type>] : []));
}

/**
 * The answer in words a model cannot take for anything else; an option by its id, number or label
 * is named in full.
 */
export function labelAnswer({ options }: Pick<Question, 'options'>, answer: string): string {
  // Nobody did: the words that say so are ours, and harmless where they are not.
  if (answer.startsWith(unanswered)) return answer;
  const said = answer.trim().toLowerCase();
  const chosen = options.find(({ id, label }, index) =>
    [id.toLowerCase(), label.toLowerCase(), String(index + 1)].includes(said),
  );
  return chosen === undefined
    ? `The user answered: ${answer}`
    : `The user chose: ${chosen.id} (${chosen.label})`;
}

type EntryOf<Type extends RunEntry['type']> = Extract<RunEntry, { type: Type }>;

/** The newest entry of one type. */
export function lastEntry<Type extends RunEntry['type']>(
  lines: readonly RunLedgerLine[],
  type: Type,
): EntryOf<Type> | undefined {
  const line = lines.findLast((one) => one.entry.type === type);
  return line?.entry as EntryOf<Type> | undefined;
}
