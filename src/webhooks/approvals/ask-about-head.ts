import type { DecidePorts } from '../judge/decide-ports.ts';
import type { Judged } from '../judge/judge-event.ts';
import { holdRequest } from '../kept/held-request.ts';
import type { Reply } from '../reply/reply.ts';

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
  const body = `${reason} Or tick this box, or say \`/${triggers.mention} continue ${held.hash}\`: what you asked for then runs on exactly this head.`;
  return { kind: 'held', body, box, held };
}
