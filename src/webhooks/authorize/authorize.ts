import type { Requester } from '../../contract/plan.ts';
import type { Trigger } from '../commands/trigger.ts';

/** Whether the actor of a trigger may start its run, and who that is as the API says. */
export type Authorization =
  | { readonly kind: 'allowed'; readonly requester: Requester }
  | { readonly kind: 'refused'; readonly requester: Requester; readonly reason: string };

const mayWrite = new Set<Requester['permission']>(['write', 'maintain', 'admin']);

/**
 * Whether the account behind a trigger may start it. A person needs write permission; a bot has to be an account of type
 * Bot whose exact login is in `allowBots`. An automated review runs for anyone: it is the repository's policy, it only
 * reads, and no tool of it gets a secret.
 */
export function authorize(
  trigger: Trigger,
  requester: Requester,
  allowBots: readonly string[],
): Authorization {
  const refused = (reason: string): Authorization => ({ kind: 'refused', requester, reason });
  const { login, type, permission } = requester;
  if (requester.id !== trigger.actor.id)
    return refused(`${login} is not the account it was when the event was sent.`);
  if (type === 'Bot') {
    const listed = allowBots.some((bot) => bot.toLowerCase() === login.toLowerCase());
    return listed
      ? { kind: 'allowed', requester }
      : refused(`${login} is a bot that triggers.allowBots does not name.`);
  }
  if (type !== 'User') return refused(`${login} is an account of type ${type}, which cannot start a run.`);
  if (trigger.automated || mayWrite.has(permission)) return { kind: 'allowed', requester };
  return refused(`${login} has ${permission} permission on this repository; starting a run needs write.`);
}

/** Whether the API's permission lets an account push. */
export function canWrite(requester: Requester): boolean {
  return mayWrite.has(requester.permission);
}
