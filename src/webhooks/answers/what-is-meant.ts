import type { SavedSession } from '../../contract/session.ts';
import type { PlanProposal } from '../../contract/thread-records.ts';
import { verbOf } from '../../contract/verbs.ts';
import type { DecidePorts } from '../authorize/decide-ports.ts';
import type { Judged } from '../authorize/judge-event.ts';
import { applyFlags } from '../commands/apply-flags.ts';
import type { Trigger } from '../commands/trigger.ts';
import { confirmHeld } from '../records/held-request.ts';
import { repeatedRequest } from '../records/kept-request.ts';
import { readStopped } from '../records/read-waiting.ts';

/** What a run is to do once it is known what the words are about. */
export interface Meant {
  readonly kind: 'meant';
  /** With the request that is to be done again in place of `retry`, and the flags in the configuration. */
  readonly judged: Judged;
  /** The session that it goes on from; null for a new one. */
  readonly session: SavedSession | null;
  readonly effort: number | null;
  /** Chosen by whoever asked, as the configuration allows it. */
  readonly model: string | null;
  /** The approved plan that is carried out. */
  readonly proposal?: PlanProposal;
}

/** Carrying out a plan is work of whoever approved it, in a new conversation. */
export function approvedWork(judged: Judged, proposal: PlanProposal): Meant {
  const kind = judged.trigger.thread.kind === 'issue' ? 'implement' : 'task';
  const trigger: Trigger = { ...judged.trigger, kind, text: '' };
  const chosen = { effort: null, model: null };
  return { kind: 'meant', judged: { ...judged, trigger }, session: null, ...chosen, proposal };
}

/** Looks up what `retry` and `continue` are about, and puts the flags over the configuration. */
export async function whatIsMeant(
  judged: Judged,
  ports: DecidePorts,
): Promise<Meant | { readonly kind: 'refused'; readonly reason: string }> {
  const confirmed = await confirmHeld(judged.trigger, judged.place.pull?.head.sha ?? null, ports.store);
  if (confirmed?.kind === 'refused') return confirmed;
  const given = confirmed?.trigger ?? judged.trigger;
  const { kind } = given;
  const asked =
    confirmed?.answers == null
      ? judged.waiting
      : (judged.sessions.find(({ run_id }) => run_id === confirmed.answers) ?? null);
  if (confirmed !== null && kind === 'answer' && !asked?.question)
    return { kind: 'refused', reason: 'No question waits for an answer on this thread any more.' };
  const trigger = kind === 'retry' ? await repeatedRequest(ports.store, given) : given;
  if (trigger === null)
    return { kind: 'refused', reason: 'Nothing was asked for on this thread that I still know of.' };
  const stopped = kind === 'continue' ? await readStopped(ports.store, trigger, ports.log) : null;
  if (kind === 'continue' && stopped === null)
    return { kind: 'refused', reason: 'No run was stopped on this thread that could go on.' };
  const applied = applyFlags(trigger.flags ?? {}, judged.config);
  if (applied.kind === 'refused') return applied;
  const waiting = verbOf(kind).does === 'decides' && kind !== 'retry' ? asked : null;
  const session = kind === 'continue' ? stopped : waiting;
  return {
    kind: 'meant',
    judged: { ...judged, trigger, config: applied.config },
    session,
    effort: applied.effort,
    model: applied.model,
  };
}
