import { describeDefect, RunStopped } from '../../contract/errors.ts';
import type { StopReason } from '../../contract/limits.ts';
import type { ToolCallPart, UserMessage } from '../../contract/message.ts';
import { fitImages } from '../context/shorten-messages.ts';
import { conclusionOf, stopReasonOf } from '../limits/stop-reasons.ts';
import type { ModelReply } from '../models/model.ts';
import { RequestRejected } from '../models/provider-error.ts';
import { withRepairedCalls } from '../models/wire-calls.ts';
import { retryPrompt } from '../reminders/end-prompts.ts';
import { takeReminders } from '../reminders/turn-reminders.ts';
import type { AgentResult, AgentRun } from './agent-run.ts';
import { endLoop, type LoopState, openLoop, turnsLeft } from './loop-state.ts';
import { type FinishedCalls, runCalls } from './run-calls.ts';

/** Delay after which the tools are loaded, while the request is under way. */
const preloadDelayMs = 50;
/** Attempts to shorten one request. A window may be far smaller than configured. */
const mostShortened = 4;
/** Retry prompts in a row before the run fails. */
const mostRetries = 2;

/** Added to results that end the run if a call of the same turn waits for a person. */
const notEnded =
  'The run has not ended, though a call above asks for that: it waited for a person first. Go on from there, and end it anew once it is done.';

/**
 * The loop: prompt → model → tool calls through the gate → results → … → answer, or a limit.
 * An early end, a defect included, becomes a `StopReason` with the partial result.
 */
export async function runAgent(run: AgentRun): Promise<AgentResult> {
  const loop = openLoop(run);
  try {
    let isDone = await runOpenCall(loop);
    while (!isDone) {
      const usedUp = await beginTurn(loop);
      const reply = await askModel(loop);
      const calls = await takeReply(loop, reply);
      const isEnd =
        calls.length === 0
          ? endTurnWithoutCalls(loop, reply, usedUp)
          : await runTurnCalls(loop, calls, reply.stop === 'length');
      isDone = isEnd && (await isAccepted(loop));
    }
    await run.children?.end();
    loop.answer = run.requests.finished?.answer ?? loop.answer;
    return endLoop(loop, 'success', null);
  } catch (error) {
    const stop = stopReasonOf(error, run.signal);
    if (stop.kind === 'internal_error')
      run.record({ type: 'diagnostic', level: 'info', message: describeDefect(error) });
    // The first of two defects is reported.
    await run.children?.end().catch(() => undefined);
    return endLoop(loop, conclusionOf(stop), stop);
  }
}

/** Checks the form of the answer. Few runs require one, so its code is loaded on demand. */
async function isAccepted(loop: LoopState): Promise<boolean> {
  const { answerForm } = loop.run;
  return answerForm === undefined || (await import('./accept-answer.ts')).acceptAnswer(loop, answerForm);
}

/** Makes the call that a person approved before the run. Returns true if it ends the run. */
async function runOpenCall(loop: LoopState): Promise<boolean> {
  const { run, conversation } = loop;
  if (!run.open) return false;
  const { call, pending, complete } = run.open;
  const { results, stopped, waitingCallId } = await runCalls([call], run);
  const [result] = results;
  if (result === undefined) {
    conversation.say(pending);
    loop.waitingCallId = waitingCallId;
    throw stopped;
  }
  const last = complete(result).at(-1);
  if (last !== undefined) conversation.say(last);
  return run.requests.finished !== null;
}

/**
 * Checks all limits and shortens the conversation for the next request. Returns why no calls are
 * left, or null.
 */
async function beginTurn(loop: LoopState): Promise<StopReason | null> {
  const { run, conversation } = loop;
  if (turnsLeft(loop) <= 0) {
    const message = `The run used its ${run.maxTurns} turns before it was done.`;
    throw new RunStopped({ kind: 'turn_limit', message });
  }
  run.budget.check();
  const usedUp = run.budget.callsUsedUp();
  if (usedUp !== null) {
    // A model that has not answered yet gets a second turn to do so.
    if (loop.turnsWithoutCalls >= (loop.answer === '' ? 2 : 1)) throw new RunStopped(usedUp);
    loop.turnsWithoutCalls += 1;
  }
  run.signal.throwIfAborted();
  loop.turn += 1;
  run.record({ type: 'turn.started', turn: loop.turn });
  await conversation.compactIfFull();
  // A summary has its cost too.
  run.budget.check();
  return usedUp;
}

/** Asks the model, with a shorter conversation if the request is rejected. */
async function askModel({ run, conversation }: LoopState): Promise<ModelReply> {
  const { model, system, toolDefinitions: tools, signal, profile } = run;
  const preload = setTimeout(() => run.toolCalls().catch(() => undefined), preloadDelayMs);
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        const { messages } = conversation;
        const request = { system, tools, messages, effort: profile.effort, signal };
        return await model.complete(request, (text) => run.listen({ type: 'text.delta', text }));
      } catch (error) {
        if (tries > shorterTries(error) || !(await conversation.shrink())) throw error;
      }
    }
  } finally {
    clearTimeout(preload);
  }
}

/**
 * Shorter requests worth trying: one for any rejected request, as few providers name the reason.
 */
function shorterTries(error: unknown): number {
  if (!(error instanceof RequestRejected)) return 0;
  return error.tooLong ? mostShortened : 1;
}

/** Counts and records a reply, and returns its calls. Throws `RunStopped` for a refusal. */
async function takeReply(loop: LoopState, reply: ModelReply): Promise<ToolCallPart[]> {
  const { run, conversation, turn } = loop;
  const { usage } = reply;
  conversation.count(usage);
  const cost = run.model.cost(usage);
  run.budget.spend(usage, cost);
  run.record({ type: 'usage', turn, usage, cost_usd: cost });
  const message = await withRepairedCalls(reply.message);
  const text = textOf(message).trim();
  if (text !== '') {
    loop.answer = text;
    loop.text = text;
  }
  if (reply.stop === 'refusal') {
    const refused = `The model refused to go on${text === '' ? '.' : `: ${text}`}`;
    throw new RunStopped({ kind: 'provider_refused', message: refused });
  }
  // Providers refuse an empty message.
  if (message.parts.length > 0) conversation.say(message);
  return message.parts.filter((part) => part.type === 'tool_call');
}

/** Takes a reply without calls: true for an answer, false after a retry prompt. */
function endTurnWithoutCalls(loop: LoopState, reply: ModelReply, usedUp: StopReason | null): boolean {
  const { run, conversation } = loop;
  if (usedUp !== null) throw new RunStopped(usedUp);
  const retry = retryPrompt(reply, textOf(reply.message), loop.retries);
  const prompt = retry ?? run.children?.unfinished() ?? promptForResult(loop);
  if (prompt === null) return true;
  if (retry !== null) {
    if (loop.retries === mostRetries) {
      const failed =
        'The model ended its turn three times without a whole answer. Ask again, or choose another model.';
      throw new RunStopped({ kind: 'provider_failed', message: failed });
    }
    loop.retries += 1;
  }
  conversation.say({ role: 'user', parts: [{ type: 'text', text: prompt }] });
  return false;
}

/** Asks for the result that the profile requires. Null if no turn or call is left for it. */
function promptForResult(loop: LoopState): string | null {
  if (turnsLeft(loop) <= 0 || loop.run.budget.left().some(({ left }) => left === 0)) return null;
  const prompt = loop.required.prompt();
  if (prompt !== null) loop.answerBefore = loop.answer;
  return prompt ?? loop.unlogged();
}

/** Makes the calls of a turn. Returns true if one of them ends the run; throws what stopped it. */
async function runTurnCalls(
  loop: LoopState,
  calls: readonly ToolCallPart[],
  cutOff: boolean,
): Promise<boolean> {
  const { run, conversation } = loop;
  loop.retries = 0;
  const finished = await runCalls(calls, run);
  conversation.say(fitImages(await resultsMessage(loop, finished, { calls, cutOff })));
  loop.text = '';
  run.ledger.flush();
  if (finished.stopped === null) return run.requests.finished !== null;
  loop.waitingCallId = finished.waitingCallId;
  throw finished.stopped;
}

async function resultsMessage(
  loop: LoopState,
  { results, stopped }: FinishedCalls,
  { calls, cutOff }: { readonly calls: readonly ToolCallPart[]; readonly cutOff: boolean },
): Promise<UserMessage> {
  const isEnding = loop.run.requests.finished !== null;
  if (stopped?.reason.kind === 'waiting' && isEnding)
    return { role: 'user', parts: [...results, { type: 'text', text: notEnded }] };
  if (stopped !== null || isEnding) return { role: 'user', parts: results };
  const turn = { turn: loop.turn, turnsLeft: turnsLeft(loop), calls, results, cutOff };
  return { role: 'user', parts: [...results, ...(await takeReminders(loop.reminders, turn))] };
}

function textOf({ parts }: ModelReply['message']): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
