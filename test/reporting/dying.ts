import type { Octokit } from '@octokit/rest';
import { createOctokit } from '../../src/github/create-octokit.ts';
import type { PushCommit } from '../../src/reporting/posting/ports.ts';

/** The end of a process. */
export class Killed extends Error {}

/** When a process dies at its first write: before it was sent, or after it was done and before the answer came. */
export type Moment = 'before' | 'after';

/** What a publisher writes to GitHub with. */
interface WritingPorts {
  readonly octokit: Octokit;
  readonly pushCommit?: PushCommit;
}

/** Who writes where. */
interface Writer {
  readonly apiUrl: string;
  readonly token: string;
}

/** Ports of a process that dies at its first write to GitHub, by the API or git; after that nothing of it is heard any more. */
export function dyingPorts<Ports extends WritingPorts>(
  { apiUrl, token }: Writer,
  ports: Ports,
  moment: Moment,
): Ports {
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Killed();
  };
  const octokit: Octokit = createOctokit({ apiUrl, token, wait: async () => {} });
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

/**
 * Lets processes die one after the other at every write, before it was sent and after it was done in turn, until one comes to its
 * end, which is given with how many died when. More than forty are a defect.
 */
export async function dieAtEveryWrite<Ports extends WritingPorts, Result>(
  writer: Writer,
  ports: () => Ports | Promise<Ports>,
  publish: (ports: Ports) => Promise<Result>,
): Promise<{ readonly result: Result; readonly deaths: Record<Moment, number> }> {
  const deaths = { before: 0, after: 0 };
  const moments: Moment[] = ['before', 'after'];
  while (deaths.before < 40) {
    const moment = moments[(deaths.before + deaths.after) % 2] ?? 'before';
    try {
      return { result: await publish(dyingPorts(writer, await ports(), moment)), deaths };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      deaths[moment] += 1;
    }
  }
  throw new Error('No process came to its end.');
}
