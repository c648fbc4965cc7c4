import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { requestCode, requestLink } from '../commands/request-quote.ts';
import { createPendingRequest } from '../records/pending-request.ts';
import type { Reply } from '../replies/reply.ts';

/**
 * Returns the reply to a request that is older than the head. The App stores the request and offers
 * a box and a command to confirm it, in one comment for all requests. If it cannot, `reason` asks
 * for a new comment.
 */
export function askAboutHead(
  { trigger, triggers, facts, waiting }: EventRequest,
  reason: string,
  { host }: Pick<DecideContext['settings'], 'host'>,
): Reply {
  const mayAsk = facts.pull !== null && host === 'app';
  const pending = mayAsk ? createPendingRequest(trigger, facts.pull.head.sha, waiting?.run_id ?? null) : null;
  if (pending === null) return { kind: 'comment', body: reason };
  const body = `${reason} Or tick a box: its request then runs on exactly this head.`;
  const { actor, thread, comment } = trigger;
  const which = `${requestCode(trigger)}, ${requestLink({ login: actor.login, thread, comment }, facts.repository)}`;
  const box = `- [ ] Run ${which} (or say \`/${triggers.mention} continue ${pending.hash}\`)`;
  return { kind: 'pending', body, box, pending };
}
