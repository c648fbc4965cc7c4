import type { RunPlan } from '../../contract/plan.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import { isNotFound, isOutage } from '../../github/api-errors.ts';
import {
  decidePublishScope,
  type PublishScope,
  type ScopeFacts,
} from '../../reporting/changes/publish-scope.ts';
import { readApiFailure } from '../../reporting/posting/api-failure.ts';
import { readRequester } from '../../webhooks/authorize/read-requester.ts';
import type { BrokerContext } from '../context/broker-context.ts';

type ScopeContext = Pick<BrokerContext, 'github' | 'installation' | 'lastAttempt' | 'store'>;

/**
 * Reads requester, pull request and installation again, right before anything is published. If
 * GitHub does not say, only text is published. An outage throws as long as another try follows.
 */
export async function readPublishScope(plan: RunPlan, context: ScopeContext): Promise<PublishScope> {
  try {
    const installation = await installationOf(plan, context);
    if (installation !== 'active')
      return decidePublishScope(plan, { installation, requester: null, pull: null });
    const [requester, pull] = await Promise.all([requesterOf(plan, context), pullOf(plan, context)]);
    return decidePublishScope(plan, { installation, requester, pull });
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || (!context.lastAttempt && isOutage(error))) throw error;
    return { kind: 'words', reason: 'GitHub does not say whether the run may still change anything.' };
  }
}

/** A missing repository, or another one of the same name, counts as uncovered. */
async function installationOf(
  { repository: { owner, name: repo } }: RunPlan,
  { github: { writer: octokit }, installation, store }: ScopeContext,
): Promise<ScopeFacts['installation']> {
  const found = installation === undefined ? { suspended: false } : await installation().catch(nullIfGone);
  if (found?.suspended) return 'suspended';
  const repository = await octokit.rest.repos.get({ owner, repo }).catch(nullIfGone);
  if (found === null || repository === null) return 'gone';
  return store.repository === null || repository.data.id === store.repository ? 'active' : 'gone';
}

async function requesterOf(
  { repository, requester }: RunPlan,
  { github: { writer: octokit } }: ScopeContext,
): Promise<ScopeFacts['requester']> {
  const now = await readRequester(octokit, repository, requester.login).catch(nullIfGone);
  return now && { id: now.id, type: now.type, writes: canWrite(now) };
}

async function pullOf(
  { repository, thread }: RunPlan,
  { github: { writer: octokit } }: ScopeContext,
): Promise<ScopeFacts['pull']> {
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
