import type { Octokit } from '@octokit/rest';
import { effectiveConfig } from '../src/config/effective-config.ts';
import type { Config } from '../src/config/schema.ts';
import type { Requester } from '../src/contract/plan.ts';
import { canWrite } from '../src/contract/repository-permissions.ts';
import { isNotFound } from '../src/github/api-errors.ts';
import { readRepositoryConfig } from '../src/webhooks/authorize/read-config.ts';
import { readRequester } from '../src/webhooks/authorize/read-requester.ts';
import type { Job } from './job.ts';
import { isCausedByWriters } from './workflow-events.ts';

/**
 * Returns why the actor of a step with a prompt may not start it, as a sentence; null if permitted.
 * A person needs write permission. A bot needs its exact login in `triggers.allowBots` of the
 * default branch, or in the overrides. Its type comes from the API.
 */
export async function refuseActor(job: Job, octokit: Octokit, overrides: Config): Promise<string | null> {
  if (isCausedByWriters(job.eventName)) return null;
  const place = { owner: job.owner, name: job.repository };
  const actor = await readRequester(octokit, place, job.actor).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  if (actor === null) return `GitHub knows no account ${job.actor}, which caused this event.`;
  return decideActor(actor, actor.type === 'Bot' ? await readAllowedBots(job, octokit, overrides) : []);
}

/** Decides on an actor that the API described. */
export function decideActor(
  { login, type, permission }: Pick<Requester, 'login' | 'type' | 'permission'>,
  allowBots: readonly string[],
): string | null {
  if (type === 'Bot') {
    if (allowBots.some((bot) => bot.toLowerCase() === login.toLowerCase())) return null;
    return `${login} is a bot. To let it start runs, name it with its \`[bot]\` in \`triggers.allowBots\` of the default branch's configuration, or in the input \`allowed_bots\`.`;
  }
  if (type !== 'User') return `${login} is an account of type ${type}, which cannot start a run.`;
  if (canWrite({ permission })) return null;
  return `${login} has the permission "${permission}" here; runs are for people who may write.`;
}

async function readAllowedBots(job: Job, octokit: Octokit, overrides: Config): Promise<readonly string[]> {
  const { owner, repository: repo } = job;
  const { data } = await octokit.rest.repos.get({ owner, repo });
  const branch = data.default_branch;
  const { config: own } = await readRepositoryConfig(octokit, { owner, name: repo, branch }, 'action');
  return effectiveConfig(overrides, own).config.triggers?.allowBots ?? [];
}
