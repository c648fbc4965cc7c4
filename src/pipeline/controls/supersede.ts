import type { StopReason } from '../../contract/limits.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { verbOf } from '../../contract/verbs.ts';
import type { Trigger } from '../../webhooks/commands/trigger.ts';
import { isSameRequest } from '../../webhooks/records/last-request.ts';

/**
 * Returns why a new request on the thread makes an active run superfluous; null if it does not. An
 * automated review ends for a newer head, another base or a requested review. A requested run ends
 * only for the same request, and only if it merely reads.
 */
export async function supersededBy(
  trigger: Trigger,
  run: RunPlan,
  store: StateStore,
): Promise<StopReason | null> {
  if (!isOnThread(run, trigger) || run.resume !== null) return null;
  const superseded = (message: string): StopReason => ({ kind: 'superseded', message });
  if (run.verb === 'review' && run.trigger_comment === null && trigger.kind === 'review') {
    if (!trigger.automated)
      return superseded(`${trigger.actor.login} asked for a review, which takes its place.`);
    if (trigger.event === 'pull_request.edited')
      return superseded(
        'The pull request got another base branch, and is reviewed against that one instead.',
      );
    const sha = trigger.head_sha;
    if (sha === null || sha === run.checkout.sha) return null;
    return superseded(`${sha.slice(0, 7)} was pushed, and is reviewed instead.`);
  }
  if (trigger.automated || verbOf(trigger.kind).does !== 'reads') return null;
  const same = await isSameRequest(store, trigger, run.run_id);
  return same ? superseded(`${trigger.actor.login} asked for the same again, which takes its place.`) : null;
}

/**
 * Returns true if an event came after the request of a run. A late event may find its own run, or a
 * newer one.
 */
export function comesAfter(
  { triggered_at, source }: Pick<RunPlan, 'triggered_at' | 'source'>,
  event: { readonly at: string; readonly delivery_id: string | null },
): boolean {
  const own = source.delivery_id !== null && source.delivery_id === event.delivery_id;
  return !own && Date.parse(event.at) >= Date.parse(triggered_at);
}

/** Returns true if a run answers on the thread of an event of the same repository. */
export function isOnThread(
  { thread }: RunPlan,
  at: { readonly thread: { readonly number: number } },
): boolean {
  return thread?.number === at.thread.number;
}
