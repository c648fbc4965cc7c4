import { triggerDefaults } from '../config/defaults.ts';
import type { IncomingEvent } from '../contract/event.ts';
import { canWrite } from '../contract/repository-permissions.ts';
import { missingPermission, permissionRemedy } from '../github/missing-permission.ts';
import type { DecideContext } from './authorize/decide-context.ts';
import { readRequester } from './authorize/read-requester.ts';
import type { EventDecision } from './decide-event.ts';
import { findTrigger } from './triggers/events.ts';

/**
 * Decides on an event that could not be read for a missing permission. A user with write permission
 * who addressed us gets a reply that names it. A workflow job fails with it; the App only logs it
 * for an event that nobody addressed to us. Throws every other error. The configuration may be what
 * cannot be read, so its defaults count.
 */
export async function decideDenied(
  event: IncomingEvent,
  error: unknown,
  { octokit, settings }: DecideContext,
): Promise<EventDecision> {
  const permission = missingPermission(error);
  if (permission === null) throw error;
  const remedy = permissionRemedy(permission, settings.host);
  const ignored = { decision: 'ignore', reason: remedy, plan: null } as const;
  const trigger = findTrigger(event, {
    ...triggerDefaults({}),
    ...{
      autoReview: settings.host === 'action',
      reviewDrafts: false,
      ownLogins: settings.ownLogins,
      waiting: null,
    },
  });
  const isAutomated = trigger.kind !== 'ignored' && trigger.automated;
  if (isAutomated && settings.host === 'action') throw error;
  if (trigger.kind === 'ignored' || isAutomated)
    return { ...ignored, trigger: null, reply: { kind: 'none' } };
  const { repository, actor } = trigger;
  const requester = await readRequester(octokit, repository, actor.login);
  if (!canWrite(requester)) return { ...ignored, trigger, reply: { kind: 'none' } };
  const body = `I could not read what this needs, so nothing was started. ${remedy}`;
  return {
    ...ignored,
    decision: 'refuse',
    trigger,
    reply: { kind: 'comment', body },
    done: true,
    fails: true,
  };
}
