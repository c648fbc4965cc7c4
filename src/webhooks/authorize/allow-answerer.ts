import type { Octokit } from '@octokit/rest';
import { questionDefaults } from '../../config/defaults.ts';
import type { Config } from '../../config/schema.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import type { SavedSession } from '../../contract/session.ts';
import type { Trigger } from '../commands/trigger.ts';
import { stringAt, threadIn } from '../triggers/payload-reader.ts';
import type { Authorization } from './authorize.ts';
import { readRequester } from './read-requester.ts';

/**
 * Allows people without write permission to answer a question if the configuration names them. The
 * run keeps the rights of its requester, who must still have them: an answer adds none.
 */
export async function allowAnswerer(
  authorization: Authorization,
  facts: {
    readonly event: IncomingEvent;
    readonly trigger: Trigger;
    readonly config: Config;
    readonly waiting: SavedSession | null;
    readonly octokit: Octokit;
  },
): Promise<Authorization> {
  const { event, trigger, config, waiting, octokit } = facts;
  const asker = waiting?.plan?.requester;
  if (authorization.kind === 'allowed' || trigger.kind !== 'answer' || trigger.timer !== undefined)
    return authorization;
  if (waiting?.question == null || asker === undefined) return authorization;
  const { login, id, type } = authorization.requester;
  if (type !== 'User' || id !== trigger.actor.id) return authorization;
  const thread = threadIn(event.payload) ?? {};
  const author = stringAt(thread, 'user', 'login');
  const named = questionDefaults(config).answerers.some(
    (one) => (one === '@author' ? author : one)?.toLowerCase() === login.toLowerCase(),
  );
  if (!named) return authorization;
  const requester = await readRequester(octokit, trigger.repository, asker.login);
  return requester.id === asker.id && canWrite(requester) ? { kind: 'allowed', requester } : authorization;
}
