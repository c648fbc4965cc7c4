import type { RunHost } from '../../config/parse-repository-config.ts';
import type { Requester } from '../../contract/plan.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import type { Trigger } from '../commands/trigger.ts';
import { unnamedBot } from '../triggers/unnamed-bot.ts';

/** Result of the permission check, with the actor as the API knows them. */
export type Authorization =
  | { readonly kind: 'allowed'; readonly requester: Requester }
  | { readonly kind: 'refused'; readonly requester: Requester; readonly reason: string };

/**
 * Checks that the account behind a trigger may start it. A person needs write permission. A bot
 * must be an account of type Bot, with its exact login in `allowBots`. An automated review runs for
 * anyone, and for our own account: it only reads, and its tools get no secret.
 */
export function authorize(
  trigger: Trigger,
  requester: Requester,
  allowBots: readonly string[],
  host?: RunHost,
): Authorization {
  const refused = (reason: string): Authorization => ({ kind: 'refused', requester, reason });
  const { login, type, permission } = requester;
  if (requester.id !== trigger.actor.id)
    return refused(`${login} is not the account it was when the event was sent.`);
  // Only events of our own account have them.
  if (trigger.ownCommit !== undefined || trigger.build?.isOwn) return { kind: 'allowed', requester };
  if (type === 'Bot') {
    const listed = allowBots.some((bot) => bot.toLowerCase() === login.toLowerCase());
    return listed ? { kind: 'allowed', requester } : refused(`${login} is a bot ${unnamedBot(host)}.`);
  }
  if (type !== 'User') return refused(`${login} is an account of type ${type}, which cannot start a run.`);
  const onlyReads = trigger.automated && trigger.build === undefined;
  if (onlyReads || canWrite(requester)) return { kind: 'allowed', requester };
  return refused(`${login} has ${permission} permission on this repository; starting a run needs write.`);
}
