import { repoOf } from '../../github/api-target.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';

/** Verbs that are about stored state alone. */
const aboutState: readonly string[] = ['answer', 'approve', 'deny', 'continue'];

/** The first line of a question of ours. */
const question = /^<!-- anode:question v1 /;

/** Maximum pages of 100 comments that are searched. */
const mostPages = 10;

/**
 * Returns the reply to a request that continues what is no longer stored; null for any other
 * request. A task counts as such right after a question of ours: it is the answer.
 */
export async function lostSessionReply(
  { trigger, triggers, authorization }: EventRequest,
  { octokit, settings }: Pick<DecideContext, 'octokit' | 'settings'>,
): Promise<string | null> {
  if (settings.isStateLost !== true || authorization.kind !== 'allowed') return null;
  const isAbout =
    aboutState.includes(trigger.kind) ||
    (trigger.kind === 'task' &&
      trigger.comment !== null &&
      (await endsInQuestion(trigger, octokit, settings)));
  if (!isAbout) return null;
  return [
    'Nothing is stored of this thread any more, so there is nothing to continue here.',
    'What waited for an answer was an artifact of its workflow run. It has expired or was deleted, or its signature does not hold.',
    `State the task again, with what you know now: \`@${triggers.mention} …\`.`,
    'How long artifacts are kept is a setting of the repository (Settings, Actions, General).',
  ].join(' ');
}

/** True if our newest comment on the thread is a question. */
async function endsInQuestion(
  trigger: EventRequest['trigger'],
  octokit: DecideContext['octokit'],
  { ownLogins }: DecideContext['settings'],
): Promise<boolean> {
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...{ ...repoOf(trigger), issue_number: trigger.thread.number, per_page: 100 },
  });
  let newest = '';
  let page = 0;
  for await (const { data } of pages) {
    newest = data.findLast(({ user }) => ownLogins.includes(user?.login ?? ''))?.body ?? newest;
    page += 1;
    if (page === mostPages) break;
  }
  return question.test(newest) && !newest.includes('**Answered by ');
}
