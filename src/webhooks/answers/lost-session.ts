import { stateKeys } from '../../contract/state-keys.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { readLostQuestion } from '../authorize/read-lost-question.ts';

/** Verbs that are about stored state alone. */
const aboutState: readonly string[] = ['answer', 'approve', 'deny', 'continue'];

/**
 * Returns the reply to a request that continues what is no longer stored; null for any other
 * request. A task counts as such right after a question of ours: it is the answer. The reply to an
 * answer that does not name us is recorded, unless in a dry run: with a record, no state is lost.
 */
export async function lostSessionReply(
  { trigger, triggers, authorization }: EventRequest,
  { octokit, store, settings }: Pick<DecideContext, 'octokit' | 'store' | 'settings'>,
): Promise<string | null> {
  if (settings.isStateLost !== true || authorization.kind !== 'allowed') return null;
  const isAbout =
    aboutState.includes(trigger.kind) ||
    (trigger.kind === 'task' &&
      trigger.comment !== null &&
      (await readLostQuestion(trigger, { octokit, settings })) !== null);
  if (!isAbout) return null;
  if (trigger.unaddressed && !settings.dryRun)
    await store.set(stateKeys.lost(trigger.thread.number), trigger.at);
  return [
    'Nothing is stored of this thread any more, so there is nothing to continue here.',
    'What waited for an answer was an artifact of its workflow run. It has expired or was deleted, or its signature does not hold.',
    `State the task again, with what you know now: \`@${triggers.mention} …\`.`,
    'How long artifacts are kept is a setting of the repository (Settings, Actions, General).',
  ].join(' ');
}
