import type { RepositoryRef } from '../../contract/plan.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import type { Trigger } from '../commands/trigger.ts';
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
  const which = `${requestCode(trigger)}, ${requestLink(trigger, facts.repository)}`;
  const box = `- [ ] Run ${which} (or say \`/${triggers.mention} continue ${pending.hash}\`)`;
  return { kind: 'pending', body, box, pending };
}

/** Quotes the verb and the first words, since several requests may be pending on one thread. */
function requestCode({ kind, text, incremental }: Trigger): string {
  const words = `${kind}${incremental === true ? ' -i' : ''} ${text}`.replaceAll('`', "'");
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return `\`${line.length > 80 ? `${line.slice(0, 80).toWellFormed()}…` : line}\``;
}

/** Returns `as ada asked`, with a link to the comment if there is one. */
function requestLink({ actor, thread, comment }: Trigger, { clone_url }: RepositoryRef): string {
  const words = `as ${actor.login} asked`;
  if (comment === null) return words;
  const anchor = comment.kind === 'issue_comment' ? 'issuecomment-' : 'discussion_r';
  return `[${words}](${clone_url.replace(/\.git$/, '')}/pull/${thread.number}#${anchor}${comment.id})`;
}
