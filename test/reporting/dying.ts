import type { Octokit } from '@octokit/rest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import type { PublishPorts } from '../../src/reporting/posting/ports.ts';
import type { Scene } from './scene.ts';

/** The end of a process. */
export class Killed extends Error {}

/** When a process dies at its first write: before it was sent, or after it was done and before the answer came. */
export type Moment = 'before' | 'after';

/** Ports of a process that dies at its first write to GitHub, by the API or git; after that nothing of it is heard any more. */
export function dyingPorts(scene: Scene, apiUrl: string, ports: PublishPorts, moment: Moment): PublishPorts {
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Killed();
  };
  const octokit: Octokit = createOctokit({ apiUrl, token: scene.token, wait: async () => {} });
  octokit.hook.wrap('request', async (request, options) => {
    if (dead) die();
    const query = 'query' in options ? String(options.query) : '';
    const writes = options.method !== 'GET' && !query.trimStart().startsWith('query');
    if (writes && moment === 'before') die();
    const answer = await request(options);
    return writes ? die() : answer;
  });
  const { pushCommit } = ports;
  if (pushCommit === undefined) return { ...ports, octokit };
  return {
    ...ports,
    octokit,
    pushCommit: async (target) => {
      if (dead || moment === 'before') die();
      await pushCommit(target);
      return die();
    },
  };
}
