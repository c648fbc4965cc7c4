import type { RunPlan } from '../../contract/plan.ts';
import { storedVerb } from '../../contract/verbs.ts';
import { createOctokit } from '../../github/create-octokit.ts';
import { type RunCheck, startRunCheck } from '../../reporting/check-run/run-check.ts';
import { type BrokerContext, type CheckRight, writerToken } from '../context/broker-context.ts';
import { readOpenRun, storeOpenRun } from './show-run.ts';

/**
 * Opens the check of a run on the head of its pull request. The App does so wherever it has the
 * permission. A workflow has a check of its own, so there `report.checkRun` must ask for it.
 */
export async function openRunCheck(
  plan: RunPlan,
  pullRequestDiff: string | null,
  context: BrokerContext,
): Promise<RunCheck | null> {
  const { config, checkRight, share } = context;
  const wanted = config.report?.checkRun;
  if (plan.thread?.kind !== 'pull_request' || storedVerb(plan.verb)?.check !== true) return null;
  if (share?.kind === 'agent') return null;
  if (wanted === false || (wanted === undefined && checkRight === undefined)) return null;
  return startCheck(plan, pullRequestDiff, context);
}

/**
 * Finds the check that an earlier attempt at a run opened, so that this one can end it. Null where
 * none is open.
 */
export async function reopenRunCheck(plan: RunPlan, context: BrokerContext): Promise<RunCheck | null> {
  const open = await readOpenRun(plan, context.store);
  return (open?.check ?? null) === null ? null : startCheck(plan, null, context);
}

async function startCheck(
  plan: RunPlan,
  pullRequestDiff: string | null,
  context: BrokerContext,
): Promise<RunCheck | null> {
  const { config, checkRight, apiUrl, posting, store, ownLogin, log, link, staged } = context;
  const right: CheckRight =
    checkRight === undefined ? { kind: 'check', token: writerToken(context) } : await checkRight();
  if (right === null) return null;
  const { kind, token } = right;
  await storeOpenRun(plan, { check: { kind, end: null } }, context);
  const octokit = createOctokit({ apiUrl, token, posting, staged });
  return startRunCheck(plan, {
    ...{ octokit, kind, store, ownLogin, log, runUrl: link, config, pullRequestDiff },
  });
}
