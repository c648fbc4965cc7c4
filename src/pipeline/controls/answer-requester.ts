import type { IncomingEvent } from '../../contract/event.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { verbOf } from '../../contract/verbs.ts';
import { publicCut } from '../../reporting/text/public-text.ts';
import type { EventDecision } from '../../webhooks/decide-event.ts';
import { postPendingRequest } from '../../webhooks/replies/post-pending-request.ts';
import { postReply } from '../../webhooks/replies/post-reply.ts';
import { deliveryKey, type GitHubContext } from '../context/broker-context.ts';

/**
 * Maximum characters of a reply that lists commands or keys, or that gives the reason why nothing
 * is done.
 */
const longest = { replies: 30_000, refuses: 2_000 } as const;

/** Posts the reply of a decision, once for each delivery. */
export async function answerRequester(
  event: IncomingEvent,
  { reply, trigger }: EventDecision,
  context: GitHubContext,
): Promise<void> {
  if (reply.kind === 'none' || trigger === null) return;
  // A repeated delivery is answered once.
  const name = deliveryKey(event);
  const key = name === null ? null : stateKeys.answered(name);
  if (key !== null && !(await context.store.claim(key, '1'))) return;
  const octokit = context.github.writer;
  const budget = longest[verbOf(trigger.kind).does === 'replies' ? 'replies' : 'refuses'];
  const own = [new URL(context.serverUrl).host];
  // A reply may quote a configuration key or a branch that a stranger named.
  const safe = reply.kind === 'comment' ? { ...reply, body: publicCut(reply.body, budget, '…', own) } : reply;
  try {
    if (safe.kind === 'pending') await postPendingRequest(octokit, trigger, safe, context.store);
    else {
      const posted = await postReply(octokit, trigger, safe);
      if (posted !== null && safe.kind === 'comment' && safe.hintFor !== undefined)
        await context.store.set(stateKeys.hint(safe.hintFor, posted.id), posted.kind);
    }
  } catch (error) {
    // The next attempt may answer.
    if (key !== null) await context.store.delete(key);
    throw error;
  }
}
