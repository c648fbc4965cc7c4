import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import { isNotFound } from '../../github/is-not-found.ts';
import { isOutage } from '../../github/is-outage.ts';
import {
  decideStanding,
  type Standing,
  type StandingFacts,
} from '../../reporting/changes/decide-standing.ts';
import { readApiFailure } from '../../reporting/posting/api-failure.ts';
import { canWrite } from '../../webhooks/authorize/authorize.ts';
import { readRequester } from '../../webhooks/authorize/read-requester.ts';

/** What looking at it again needs from the root. */
export interface StandingPorts {
  readonly octokit: Octokit;
  /** The id of the plan's repository; null where it is not known. */
  readonly repositoryId: number | null;
  /** The installation that covers the repository; left out, there is none. Rejects with 404 where it is gone. */
  readonly installation?: () => Promise<{ readonly suspended: boolean }>;
  /** True when somebody calls again after an error. */
  readonly triedAgain: boolean;
}

/**
 * Looks once more, right before anything is published, at who asked, at the pull request and at the installation. Where GitHub does
 * not say, nothing but words is published; an outage is thrown as long as another try follows.
 */
export async function readStanding(plan: RunPlan, ports: StandingPorts): Promise<Standing> {
  try {
    const installation = await installationOf(plan, ports);
    if (installation !== 'active') return decideStanding(plan, { installation, requester: null, pull: null });
    const [requester, pull] = await Promise.all([requesterOf(plan, ports), pullOf(plan, ports)]);
    return decideStanding(plan, { installation, requester, pull });
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || (ports.triedAgain && isOutage(error))) throw error;
    return { kind: 'words', reason: 'GitHub does not say whether the run may still change anything.' };
  }
}

/** A repository that is not there any more for us, or is another of the same name, is one that nothing covers. */
async function installationOf(
  { repository: { owner, name: repo } }: RunPlan,
  { octokit, installation, repositoryId }: StandingPorts,
): Promise<StandingFacts['installation']> {
  const found = installation === undefined ? { suspended: false } : await installation().catch(nullIfGone);
  if (found?.suspended) return 'suspended';
  const repository = await octokit.rest.repos.get({ owner, repo }).catch(nullIfGone);
  if (found === null || repository === null) return 'gone';
  return repositoryId === null || repository.data.id === repositoryId ? 'active' : 'gone';
}

async function requesterOf(
  { repository, requester }: RunPlan,
  { octokit }: StandingPorts,
): Promise<StandingFacts['requester']> {
  const now = await readRequester(octokit, repository, requester.login).catch(nullIfGone);
  return now && { id: now.id, type: now.type, writes: canWrite(now) };
}

async function pullOf(
  { repository, thread }: RunPlan,
  { octokit }: StandingPorts,
): Promise<StandingFacts['pull']> {
  if (thread?.kind !== 'pull_request') return null;
  const { owner, name: repo } = repository;
  const answer = await octokit.rest.pulls.get({ owner, repo, pull_number: thread.number }).catch(nullIfGone);
  if (answer === null) return null;
  const { merged, state, base } = answer.data;
  const closed = merged ? 'merged' : 'closed';
  return { state: state === 'open' ? 'open' : closed, base: base.ref };
}

function nullIfGone(error: unknown): null {
  if (isNotFound(error)) return null;
  throw error;
}
