import type { RepositoryRef } from '../../contract/plan.ts';
import type { DecidePorts } from '../authorize/decide-ports.ts';
import type { Judged } from '../authorize/judge-event.ts';
import type { Trigger } from '../commands/trigger.ts';
import { holdRequest } from '../records/held-request.ts';
import type { Reply } from '../replies/reply.ts';

/**
 * What is said where the head was pushed after the request: the App holds the request and asks, by a box and by a
 * command, whether it is to run on that head. Elsewhere, and for what has its own way of asking, a new comment is asked
 * for, as `reason` says.
 */
export function askAboutHead(
  { trigger, triggers, place, waiting }: Judged,
  reason: string,
  { host }: Pick<DecidePorts['settings'], 'host'>,
): Reply {
  const mayAsk = place.pull !== null && host === 'app';
  const asked = mayAsk ? holdRequest(trigger, place.pull.head.sha, waiting?.run_id ?? null) : null;
  if (asked === null) return { kind: 'comment', body: reason };
  const { held, box } = asked;
  const which = `${requestWords(trigger)}, ${asItWasAsked(trigger, place.repository)},`;
  const body = `${reason} Or tick this box, or say \`/${triggers.mention} continue ${held.hash}\`: ${which} then runs on exactly this head.`;
  return { kind: 'held', body, box, held };
}

/** The verb and the first words, as code: several requests may wait on one thread. */
function requestWords({ kind, text, incremental }: Trigger): string {
  const words = `${kind}${incremental === true ? ' -i' : ''} ${text}`.replaceAll('`', "'");
  const line = words.replaceAll(/\s+/g, ' ').trim();
  return `\`${line.length > 80 ? `${line.slice(0, 80).toWellFormed()}…` : line}\``;
}

/** `as ada asked`, with a link where it was asked in a comment. */
function asItWasAsked({ actor, thread, comment }: Trigger, { clone_url }: RepositoryRef): string {
  const words = `as ${actor.login} asked`;
  if (comment === null) return words;
  const anchor = comment.kind === 'issue_comment' ? 'issuecomment-' : 'discussion_r';
  return `[${words}](${clone_url.replace(/\.git$/, '')}/pull/${thread.number}#${anchor}${comment.id})`;
}
