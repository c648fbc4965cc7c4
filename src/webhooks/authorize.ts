import type { Octokit } from '@octokit/rest';
import { Requester } from '../contract/plan.ts';
import { isNotFound } from '../github/is-not-found.ts';
import type { Trigger } from './trigger.ts';

/** Whether the actor of a trigger may start its run, and who that is as the API says. */
export type Authorization =
  | { readonly kind: 'allowed'; readonly requester: Requester }
  | { readonly kind: 'refused'; readonly requester: Requester; readonly reason: string };

const mayWrite = new Set<Requester['permission']>(['write', 'maintain', 'admin']);

/**
 * Asks the API for the actor's account and its permission on the repository: the association in a payload, a login that
 * ends in `[bot]` and the author of a commit prove nothing. A person needs write permission; a bot has to be an
 * account of type Bot whose exact login is in `allowBots`. An automated review runs for anyone: it is the repository's
 * policy, it only reads, and no tool of it gets a secret.
 * GitHub docs: "Get repository permissions for a user".
 */
export async function authorize(
  octokit: Octokit,
  trigger: Trigger,
  allowBots: readonly string[],
): Promise<Authorization> {
  const requester = await readRequester(octokit, trigger);
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

async function readRequester(octokit: Octokit, trigger: Trigger): Promise<Requester> {
  const { owner, name: repo } = trigger.repository;
  const username = trigger.actor.login;
  const { data: account } = await octokit.rest.users.getByUsername({ username });
  const permission = await octokit.rest.repos
    .getCollaboratorPermissionLevel({ owner, repo, username })
    .then(({ data }) => effectivePermission(data.permission, data.role_name))
    .catch((error: unknown) => {
      // The accounts of apps are no collaborators, and GitHub says so with a 404.
      if (isNotFound(error)) return 'none' as const;
      throw error;
    });
  return Requester.parse({ login: account.login, id: account.id, type: account.type, permission });
}

/** `role_name` tells maintain and triage apart, but may be an organisation's own word: then the base counts. */
function effectivePermission(base: string, role: string): Requester['permission'] {
  const known = Requester.shape.permission;
  const byRole = known.safeParse(role);
  const byBase = known.safeParse(base);
  if (byRole.success && (byRole.data === 'maintain' || byRole.data === 'triage')) return byRole.data;
  return byBase.success ? byBase.data : 'none';
}
