import type { Advert } from '../contract/advert.ts';
import { ConfigError, RunStopped } from '../contract/errors.ts';
import type { Message, ToolCallPart, ToolResultPart, UserMessage } from '../contract/message.ts';
import type { RunEvent } from '../contract/run-event.ts';
import type { Conclusion, RunEntry } from '../contract/run-ledger.ts';
import type { StopReason } from '../contract/stop-reason.ts';
import type { Usage } from '../contract/usage.ts';
import type { Model, ModelStop } from './models/model.ts';
import { withRepairedCalls } from './models/repaired-calls.ts';
import type { Profile } from './profiles.ts';
import { fitImages, pruneImages } from './prune-images.ts';
import { pruneResults } from './prune-results.ts';
import type { RunBudget } from './run-budget.ts';
import type { OpenCall } from './run-family.ts';
import type { RunLedger } from './run-ledger.ts';
import type { ToolCalls } from './tool-calls.ts';

/** After so long the request is on its way and there is nothing to do but to wait: time to load the tools. */
const preloadDelayMs = 50;

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
  readonly maxTurns: number;
  readonly budget: RunBudget;
  readonly adverts: readonly Advert[];
  readonly record: (entry: RunEntry) => void;
  /** Made at the first call, or while the first request is under way. */
  readonly toolCalls: () => Promise<ToolCalls>;
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
  /** The call that waits for its result, an answer or an approval, when the run is waiting. */
  readonly waitingCallId: string | null;
}

/**
 * The loop: prompt → model → tool calls through the gate → results → … → answer, or a limit. Whatever ends
 * it early becomes a `StopReason` with the partial result; only defects throw.
 */
export async function runAgent(run: AgentRun): Promise<AgentResult> {
  const startedAt = run.now();
  const messages: Message[] = [...run.messages];
  let turn = run.turnsBefore;
  let answer = '';
  let nudges = 0;
  let waitingCallId: string | null = null;
  /** Tokens of the last request and its reply, as the provider counted them. */
  let counted = 0;

  const say = (message: Message) => {
    messages.push(message);
    run.ledger.record({ type: 'message', message });
  };
  const makeRoom = () => {
    for (const prune of [pruneImages, pruneResults]) {
      const pruned = prune(messages, { contextWindow: run.model.contextWindow, counted });
      if (pruned === null) continue;
      messages.splice(0, messages.length, ...pruned.messages);
      // What was counted was counted with what is gone now.
      counted = 0;
      run.record({
        type: 'compaction',
        before_tokens: pruned.tokensBefore,
        after_tokens: pruned.tokensAfter,
        note: `Old ${prune === pruneImages ? 'images' : 'results'} that words replaced: ${pruned.removed}.`,
      });
    }
  };
  const end = (conclusion: Conclusion, stop: StopReason | null): AgentResult => {
    const { usage, costUsd } = run.budget;
    const durationMs = run.now() - startedAt;
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
    });
    run.ledger.flush();
    return { conclusion, answer, stop, turns: turn, usage, costUsd, durationMs, messages, waitingCallId };
  };

  try {
    if (run.open) {
      const { call, pending, complete } = run.open;
      run.budget.countToolCall();
      const settled = await settleOne(call, await run.toolCalls());
      const [result] = settled.results;
      if (result === undefined) {
        say(pending);
        waitingCallId = settled.waitingCallId;
        throw settled.stopped;
      }
      const last = complete(result).at(-1);
      if (last !== undefined) say(last);
    }
    for (;;) {
      if (turn - run.turnsBefore >= run.maxTurns) {
        const message = `The run used its ${run.maxTurns} turns before it was done.`;
        throw new RunStopped({ kind: 'turn_limit', message });
      }
      run.budget.check();
      run.signal.throwIfAborted();
      turn += 1;
      run.record({ type: 'turn.started', turn });
      makeRoom();
      const preload = setTimeout(() => run.toolCalls().catch(() => undefined), preloadDelayMs);
      const reply = await run.model
        .complete(
          {
            system: run.system,
            tools: run.adverts,
            messages,
            effort: run.profile.effort,
            signal: run.signal,
          },
          (text) => run.listen({ type: 'text.delta', text }),
        )
        .finally(() => clearTimeout(preload));
      const { input, output, cache_read, cache_write } = reply.usage;
      counted = input + output + cache_read + cache_write;
      const cost = run.model.cost(reply.usage);
      run.budget.spend(reply.usage, cost);
      run.record({ type: 'usage', turn, usage: reply.usage, cost_usd: cost });

      const message = await withRepairedCalls(reply.message);
      const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      const calls = message.parts.filter((part) => part.type === 'tool_call');
      if (text.trim() !== '') answer = text.trim();
      if (reply.stop === 'refusal') {
        const words = `The model refused to go on${text.trim() === '' ? '.' : `: ${text.trim()}`}`;
        throw new RunStopped({ kind: 'provider_refused', message: words });
      }
      // An empty message would be refused by every provider when it is sent back.
      if (message.parts.length > 0) say(message);

      if (calls.length === 0) {
        const nudge = nudgeFor(reply.stop, text, nudges);
        if (nudge === null) return end('success', null);
        if (nudges === 2) {
          const words = 'The model ended its turn three times without a whole answer.';
          throw new RunStopped({ kind: 'provider_failed', message: words });
        }
        nudges += 1;
        say({ role: 'user', parts: [{ type: 'text', text: nudge }] });
        continue;
      }
      nudges = 0;
      const settled = await runCalls(calls, run);
      const results: UserMessage = { role: 'user', parts: [...settled.results] };
      if (settled.stopped === null && turn - run.turnsBefore === run.maxTurns - 1) {
        results.parts.push({
          type: 'text',
          text: 'One turn is left. Give your final answer now: what is done, what is not, how to go on.',
        });
      }
      say(fitImages(results));
      run.ledger.flush();
      if (settled.stopped !== null) {
        waitingCallId = settled.waitingCallId;
        throw settled.stopped;
      }
    }
  } catch (error) {
    const stop = stopReasonOf(error, run.signal) ?? refusedLater(error, turn - run.turnsBefore);
    if (stop === null) throw error;
    return end(conclusionOf(stop), stop);
  }
}

function nudgeFor(stop: ModelStop, text: string, nudges: number): string | null {
  if (stop === 'length')
    return 'Your answer was cut off at the output limit. Go on exactly where it stopped.';
  if (text.trim() === '')
    return 'Your answer was empty. Go on with the task, or say in words what you did and found.';
  // Text without a word is an answer by the protocol, so it is asked about once only.
  if (stop === 'unclear' && nudges === 0)
    return 'No action word was found. Start a line with BASH:, TOOL: or ANSWER:.';
  return null;
}

interface SettledCalls {
  readonly results: ToolResultPart[];
  readonly stopped: RunStopped | null;
  readonly waitingCallId: string | null;
}

/** Runs the calls of one turn: side by side when all only read, else strictly in order. */
async function runCalls(calls: readonly ToolCallPart[], run: AgentRun): Promise<SettledCalls> {
  const tools = await run.toolCalls();
  const onlyRead = calls.every((call) => tools.onlyReads(call));
  for (const _ of calls) run.budget.countToolCall();
  if (onlyRead) return settleAll(calls, await Promise.allSettled(calls.map((call) => tools.call(call))));
  const results: ToolResultPart[] = [];
  for (const [index, call] of calls.entries()) {
    run.signal.throwIfAborted();
    try {
      results.push(await tools.call(call));
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
      // The question's own result comes with the answer; what stood behind it must not look executed.
      for (const later of calls.slice(index + 1)) results.push(notRun(later.id));
      return { results, stopped: error, waitingCallId: error.reason.kind === 'waiting' ? call.id : null };
    }
  }
  return { results, stopped: null, waitingCallId: null };
}

/** Makes one call, which may end the run. */
async function settleOne(call: ToolCallPart, tools: ToolCalls): Promise<SettledCalls> {
  return settleAll([call], await Promise.allSettled([tools.call(call)]));
}

/** Of calls made side by side, any may have ended the run: what the others brought is kept all the same. */
function settleAll(
  calls: readonly ToolCallPart[],
  settled: readonly PromiseSettledResult<ToolResultPart>[],
): SettledCalls {
  const reasons = settled.map((one): unknown => (one.status === 'rejected' ? one.reason : null));
  const defect = reasons.find((reason) => reason !== null && !(reason instanceof RunStopped));
  if (defect !== undefined) throw defect;
  const stopped = reasons.find((reason) => reason instanceof RunStopped) ?? null;
  const waiting = stopped?.reason.kind === 'waiting' ? (calls[reasons.indexOf(stopped)]?.id ?? null) : null;
  const results = settled.flatMap((one, index) => {
    if (one.status === 'fulfilled') return [one.value];
    const id = calls[index]?.id ?? '';
    return id === waiting ? [] : [notRun(id)];
  });
  return { results, stopped, waitingCallId: waiting };
}

function notRun(callId: string): ToolResultPart {
  const text = 'Not run: the run stopped at the call before it. Call it again if it is still wanted.';
  return { type: 'tool_result', call_id: callId, content: [{ type: 'text', text }], is_error: true };
}

function stopReasonOf(error: unknown, signal: AbortSignal): StopReason | null {
  if (error instanceof RunStopped) return error.reason;
  if (!signal.aborted) return null;
  // An abort carries its own reason when a limit caused it; a bare one is a person's or the system's.
  if (signal.reason instanceof RunStopped) return signal.reason.reason;
  return { kind: 'cancelled', message: 'The run was cancelled.' };
}

/**
 * A key or a model that was good for the turns before and is not any more (revoked, out of credit, taken away): the
 * operator has to change something, but what the run did so far must not be lost for it.
 */
function refusedLater(error: unknown, turns: number): StopReason | null {
  return error instanceof ConfigError && turns > 1
    ? { kind: 'provider_failed', message: error.message }
    : null;
}

function conclusionOf(stop: StopReason): Conclusion {
  if (stop.kind === 'waiting') return 'waiting';
  if (stop.kind === 'cancelled' || stop.kind === 'superseded') return 'cancelled';
  return stop.kind.endsWith('_limit') ? 'limit' : 'failure';
}
