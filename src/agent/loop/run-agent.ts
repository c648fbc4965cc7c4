import type { ContextBounds } from '../../config/model-settings.ts';
import { describeDefect, RunStopped } from '../../contract/errors.ts';
import type { Conclusion, StopReason } from '../../contract/limits.ts';
import { smallest } from '../../contract/lists.ts';
import type { Advert, Message, ToolCallPart, UserMessage } from '../../contract/message.ts';
import type { RunHistory } from '../../contract/run-history.ts';
import type { RunEntry, RunEvent } from '../../contract/run-ledger.ts';
import { addUsage, noSpent, type Spent, type Usage } from '../../contract/usage.ts';
import { openConversation } from '../context/conversation.ts';
import type { HistoryFold } from '../context/history-fold.ts';
import type { LoopRequests } from '../context/loop-requests.ts';
import { fitImages } from '../context/shorten-messages.ts';
import type { RunLedger } from '../ledger/open-run-ledger.ts';
import type { RunBudget } from '../limits/run-budget.ts';
import { conclusionOf, stopReasonOf } from '../limits/stop-reasons.ts';
import type { Model, ModelReply } from '../models/model.ts';
import { RequestRejected } from '../models/provider-error.ts';
import { withRepairedCalls } from '../models/wire-calls.ts';
import { nudgeReply, owedResult, unloggedRun } from '../notes/end-reminders.ts';
import { standingNotes } from '../notes/standing-notes.ts';
import { type TurnNote, takeNotes } from '../notes/turn-notes.ts';
import type { Profile } from '../profiles/profiles.ts';
import type { OpenCall } from './run-family.ts';
import { type SettledCalls, settleCalls } from './settle-calls.ts';
import type { ToolCalls } from './tool-calls.ts';

/** After so long the request is on its way and there is nothing to do but to wait: time to load the tools. */
const preloadDelayMs = 50;
/** So often a request that is too long is made shorter: a window may be far smaller than it is taken to be. */
const mostShortened = 4;

/** Beside a result that says that the run ends: what a person was asked in the same turn counts more. */
const notEnded =
  'The run has not ended, though a call above asks for that: it waited for a person first. Go on from there, and end it anew once it is done.';

/** Everything the loop needs; nothing in it knows GitHub or a credential. */
export interface AgentRun {
  readonly model: Model;
  readonly profile: Profile;
  readonly system: string;
  /** The conversation so far, ending with a user message. */
  readonly messages: readonly Message[];
  /** A call to make first, whose result the conversation lacks; left out, none. */
  readonly open?: Pick<OpenCall, 'call' | 'pending' | 'complete'> | null;
  /** Turns an earlier part of the session already took. */
  readonly turnsBefore: number;
  /** What earlier parts took that the budget does not count; left out, nothing. */
  readonly uncounted?: Pick<Spent, 'usage' | 'cost_usd' | 'duration_ms'>;
  readonly maxTurns: number;
  readonly budget: RunBudget;
  readonly adverts: readonly Advert[];
  /** When older turns are summarised, and how much never is. */
  readonly context: ContextBounds;
  /** What `record` and the tools record, folded: it hears of every entry. */
  readonly history: HistoryFold;
  readonly record: (entry: RunEntry) => void;
  /** Made at the first call, or while the first request is under way. */
  readonly toolCalls: () => Promise<ToolCalls>;
  /** What the tools ask of the loop: the object that their context has as well. */
  readonly requests: LoopRequests;
  /** Asked after each turn with calls; what they say stands behind the results. */
  readonly notes: readonly TurnNote[];
  /** The children beside it: `unfinished` says once that some still run, `end` ends them. Left out, there are none. */
  readonly children?: { unfinished(): string | null; end(): Promise<void> };
  readonly ledger: RunLedger;
  readonly listen: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/** How the loop ended, and the conversation as it stands, for a session that goes on later. */
export interface AgentResult {
  readonly conclusion: Conclusion;
  readonly answer: string;
  readonly stop: StopReason | null;
  readonly turns: number;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly durationMs: number;
  readonly messages: readonly Message[];
  /** What is kept of turns that were or will be summarised. */
  readonly history: RunHistory;
  /** The call that waits for its result, an answer or an approval, when the run is waiting. */
  readonly waitingCallId: string | null;
}

/**
 * The loop: prompt → model → tool calls through the gate → results → … → answer, or a limit. Whatever ends
 * it early, a defect too, becomes a `StopReason` with the partial result.
 */
export async function runAgent(run: AgentRun): Promise<AgentResult> {
  const startedAt = run.now();
  const conversation = openConversation(run);
  const { say } = conversation;
  let turn = run.turnsBefore;
  let answer = '';
  let nudges = 0;
  let waitingCallId: string | null = null;
  const owed = owedResult(run);
  const unlogged = unloggedRun(run);
  /** The answer that stood when the result was asked for. */
  let said = '';
  /** What the model said last since it saw results. */
  let words = '';
  /** The turns taken without calls being left, to say what the run has: none are due to a child that begins without, and has nothing. */
  let concluding = run.budget.callsUsedUp() === null ? 0 : Infinity;
  const notes = [...run.notes, ...standingNotes(run)];

  const turnsLeft = () => run.maxTurns - (turn - run.turnsBefore);
  run.requests.state = {
    size: conversation.size,
    left: () => [`${turnsLeft()} of ${run.maxTurns} turns`, ...run.budget.left().map((one) => one.words)],
    msLeft: () => {
      const time = run.budget
        .left()
        .flatMap(({ kind, left }) => (kind === 'time_limit' ? [left * 1000] : []));
      return time.length === 0 ? null : smallest(time);
    },
    words: () => words,
  };
  const end = async (conclusion: Conclusion, stop: StopReason | null): Promise<AgentResult> => {
    const unreported = conclusion === 'success' ? owed.missing() : null;
    // Asked to state it, a model that does not says little but that it has said it.
    if (unreported !== null && said.length > answer.length) answer = said;
    const { uncounted = noSpent, budget } = run;
    const usage = addUsage(uncounted.usage, budget.usage);
    const unknown = uncounted.cost_usd === null || budget.costUsd === null;
    const costUsd = unknown ? null : (uncounted.cost_usd ?? 0) + (budget.costUsd ?? 0);
    const durationMs = uncounted.duration_ms + run.now() - startedAt;
    if (stop !== null && conclusion === 'limit') run.record({ type: 'limit', stop });
    run.record({
      type: 'run.finished',
      conclusion,
      answer,
      stop,
      turns: turn,
      usage,
      cost_usd: costUsd,
      duration_ms: durationMs,
      ...(unreported === null ? {} : { unreported }),
    });
    run.ledger.flush();
    const { messages } = conversation;
    const { history } = run.history;
    return {
      conclusion,
      answer,
      stop,
      turns: turn,
      usage,
      costUsd,
      durationMs,
      messages,
      history,
      waitingCallId,
    };
  };

  const request = (): Promise<ModelReply> => {
    const { system, adverts: tools, signal } = run;
    const { messages } = conversation;
    return run.model.complete({ system, tools, messages, effort: run.profile.effort, signal }, (text) =>
      run.listen({ type: 'text.delta', text }),
    );
  };
  const ask = async (): Promise<ModelReply> => {
    const preload = setTimeout(() => run.toolCalls().catch(() => undefined), preloadDelayMs);
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return await request();
        } catch (error) {
          // Whatever else is wrong with a request is wrong with a shorter one, too: that is tried once.
          const most = error instanceof RequestRejected ? (error.tooLong ? mostShortened : 1) : 0;
          if (tries > most || !(await conversation.shrink())) throw error;
        }
      }
    } finally {
      clearTimeout(preload);
    }
  };
  /** Where nothing is left to state it with, what was said has to do. */
  const askForResult = (): string | null => {
    if (turnsLeft() <= 0 || run.budget.left().some(({ left }) => left === 0)) return null;
    const request = owed.ask();
    if (request !== null) said = answer;
    return request ?? unlogged();
  };
  const finish = async (given: string | null): Promise<AgentResult> => {
    await run.children?.end();
    if (given !== null) answer = given;
    return end('success', null);
  };
  const resultsMessage = async (
    { results, stopped }: SettledCalls,
    calls: readonly ToolCallPart[],
    cutOff: boolean,
  ): Promise<UserMessage> => {
    const { finished: ending } = run.requests;
    if (stopped?.reason.kind === 'waiting' && ending !== null)
      return { role: 'user', parts: [...results, { type: 'text', text: notEnded }] };
    if (stopped !== null || ending !== null) return { role: 'user', parts: results };
    const finished = { turn, turnsLeft: turnsLeft(), calls, results, ...(cutOff ? { cutOff } : {}) };
    const said = await takeNotes(notes, finished);
    return { role: 'user', parts: [...results, ...said] };
  };

  try {
    if (run.open) {
      const { call, pending, complete } = run.open;
      const settled = await settleCalls([call], run);
      const [result] = settled.results;
      if (result === undefined) {
        say(pending);
        waitingCallId = settled.waitingCallId;
        throw settled.stopped;
      }
      const last = complete(result).at(-1);
      if (last !== undefined) say(last);
      if (run.requests.finished !== null) return await finish(run.requests.finished.answer);
    }
    for (;;) {
      if (turnsLeft() <= 0) {
        const message = `The run used its ${run.maxTurns} turns before it was done.`;
        throw new RunStopped({ kind: 'turn_limit', message });
      }
      run.budget.check();
      const usedUp = run.budget.callsUsedUp();
      // Once more where it called all the same and has not said a word yet.
      if (usedUp !== null && concluding >= (answer === '' ? 2 : 1)) throw new RunStopped(usedUp);
      if (usedUp !== null) concluding += 1;
      run.signal.throwIfAborted();
      turn += 1;
      run.record({ type: 'turn.started', turn });
      await conversation.makeRoom();
      // A summary costs, too.
      run.budget.check();
      const reply = await ask();
      conversation.count(reply.usage);
      const cost = run.model.cost(reply.usage);
      run.budget.spend(reply.usage, cost);
      run.record({ type: 'usage', turn, usage: reply.usage, cost_usd: cost });

      const message = await withRepairedCalls(reply.message);
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      const calls = message.parts.filter((part) => part.type === 'tool_call');
      const now = text.trim();
      if (now !== '') answer = words = now;
      if (reply.stop === 'refusal') {
        const refused = `The model refused to go on${now === '' ? '.' : `: ${now}`}`;
        throw new RunStopped({ kind: 'provider_refused', message: refused });
      }
      // An empty message would be refused by every provider when it is sent back.
      if (message.parts.length > 0) say(message);

      if (calls.length === 0) {
        if (usedUp !== null) throw new RunStopped(usedUp);
        const nudge = nudgeReply(reply, text, nudges);
        const unfinished = nudge === null ? (run.children?.unfinished() ?? askForResult()) : null;
        if (unfinished !== null) {
          say({ role: 'user', parts: [{ type: 'text', text: unfinished }] });
          continue;
        }
        if (nudge === null) return await finish(null);
        if (nudges === 2) {
          const failed = 'The model ended its turn three times without a whole answer.';
          throw new RunStopped({ kind: 'provider_failed', message: failed });
        }
        nudges += 1;
        say({ role: 'user', parts: [{ type: 'text', text: nudge }] });
        continue;
      }
      nudges = 0;
      const settled = await settleCalls(calls, run);
      say(fitImages(await resultsMessage(settled, calls, reply.stop === 'length')));
      words = '';
      run.ledger.flush();
      if (settled.stopped !== null) {
        waitingCallId = settled.waitingCallId;
        throw settled.stopped;
      }
      if (run.requests.finished !== null) return await finish(run.requests.finished.answer);
    }
  } catch (error) {
    const stop = stopReasonOf(error, run.signal);
    if (stop.kind === 'internal_error')
      run.record({ type: 'diagnostic', level: 'info', message: describeDefect(error) });
    // The first of two defects is reported.
    await run.children?.end().catch(() => undefined);
    return end(conclusionOf(stop), stop);
  }
}
