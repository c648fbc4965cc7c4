import type { RunPlan } from '../../contract/plan.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { StateStore } from '../../contract/state-store.ts';
import type { PlanProposal } from '../../contract/thread-records.ts';
import { verbOf } from '../../contract/verbs.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { withoutState } from '../authorize/nothing-stored.ts';
import { applyFlags } from '../commands/apply-flags.ts';
import type { Trigger } from '../commands/trigger.ts';
import { repeatedRequest } from '../records/last-request.ts';
import { confirmRequest } from '../records/pending-request.ts';
import { readBoxes } from '../records/read-boxes.ts';
import { readStoppedSession } from '../records/read-waiting.ts';

import { answerProblem } from './answer-problem.ts';
import { tickedBoxes } from './read-ticks.ts';

/** A request with everything that it refers to. */
export interface ResolvedRequest {
  readonly kind: 'resolved';
  /** The request that `retry` repeats, with flags applied to its configuration. */
  readonly request: EventRequest;
  /** The session to continue; null for a new one. */
  readonly session: SavedSession | null;
  readonly effort: number | null;
  /** The model that the requester chose; null for none. */
  readonly model: string | null;
  /** The approved plan to carry out. */
  readonly proposal?: PlanProposal;
  /** The failed build to repair, with what its checks say. */
  readonly build?: {
    readonly checks: readonly {
      readonly name: string;
      readonly conclusion: string;
      readonly text: string;
      readonly scripts: readonly string[];
    }[];
    readonly facts: NonNullable<RunPlan['build']>;
  };
}

/** Returns the request to carry out a plan: work of the approver, in a new conversation. */
export function approvedRequest(request: EventRequest, proposal: PlanProposal): ResolvedRequest {
  const kind = request.trigger.thread.kind === 'issue' ? 'implement' : 'task';
  const trigger: Trigger = { ...request.trigger, kind, text: '' };
  const chosen = { effort: null, model: null };
  return { kind: 'resolved', request: { ...request, trigger }, session: null, ...chosen, proposal };
}

const notKnown = 'Nothing was asked for on this thread that I still know of.';
const notStopped = 'No stopped run on this thread can continue.';

/** Looks up the request or session of `retry` and `continue`, and applies the flags. */
export async function resolveRequest(
  request: EventRequest,
  context: DecideContext,
): Promise<ResolvedRequest | { readonly kind: 'refused'; readonly reason: string }> {
  const { store, settings } = context;
  const refused = (reason: string) => ({ kind: 'refused', reason }) as const;
  const confirmed = await confirmRequest(request.trigger, request.facts.pull?.head.sha ?? null, store);
  if (confirmed?.kind === 'refused') return confirmed;
  const current = confirmed?.trigger ?? request.trigger;
  const { kind } = current;
  const asking = askingSession(request, confirmed?.answers ?? null);
  if (confirmed !== null && kind === 'answer' && !asking?.question)
    return refused('No question on this thread is waiting for an answer.');
  const trigger = kind === 'retry' ? await repeatedRequest(store, current) : current;
  if (trigger === null) return refused(withoutState(notKnown, settings));
  const session = await readSession(current, asking, context);
  if (session === null && kind === 'continue') return refused(withoutState(notStopped, settings));
  const problem = await typedAnswerProblem(trigger, session, store);
  if (problem !== null) return refused(problem);
  const applied = applyFlags(trigger.flags ?? {}, request.config);
  if (applied.kind === 'refused') return applied;
  return {
    kind: 'resolved',
    request: { ...request, trigger, config: applied.config },
    session,
    effort: applied.effort,
    model: applied.model,
  };
}

/** Returns why a typed answer is none of those that its question takes; null for all others. */
async function typedAnswerProblem(
  trigger: Trigger,
  session: SavedSession | null,
  store: StateStore,
): Promise<string | null> {
  const isTyped = trigger.kind === 'answer' && !trigger.edited && !trigger.timer;
  if (!isTyped || session?.question == null) return null;
  const posted = await readBoxes(store, session);
  return answerProblem(trigger.text, session.question.question, posted === null ? [] : tickedBoxes(posted));
}

/** Returns the session that a trigger continues; null for a new one. */
async function readSession(
  trigger: Trigger,
  asking: SavedSession | null,
  { store, log }: DecideContext,
): Promise<SavedSession | null> {
  const { kind } = trigger;
  if (kind === 'continue') return readStoppedSession(store, trigger, log);
  return verbOf(kind).does === 'decides' && kind !== 'retry' ? asking : null;
}

/** Returns the session of a confirmed answer's run; without one, the waiting session. */
function askingSession({ waiting, sessions }: EventRequest, runId: string | null): SavedSession | null {
  return runId === null ? waiting : (sessions.find(({ run_id }) => run_id === runId) ?? null);
}
