import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { TokenSource } from '../../github/create-octokit.ts';
import { type RunCheck, type RunCheckPorts, startRunCheck } from '../../reporting/check-run/run-check.ts';
import type { CheckRight } from '../context/execute-ports.ts';
import { keepOpen } from './show-run.ts';

/** Verbs that say nothing about the commit. */
const aboutNoCommit: ReadonlySet<RunPlan['verb']> = new Set(['ask', 'describe', 'triage', 'step']);

/**
 * Shows a run on the head of its pull request, where that is wanted: in the App wherever it was given the permission, in a
 * workflow, which has a check of its own, only where `report.checkRun` says so.
 */
export async function openRunCheck(
  plan: RunPlan,
  ports: Omit<RunCheckPorts, 'octokit' | 'kind'> & {
    readonly octokitWith: (token: TokenSource) => Octokit;
    readonly right: (() => Promise<CheckRight>) | null;
    readonly writeToken: TokenSource;
  },
): Promise<RunCheck | null> {
  const wanted: Config['report'] = ports.config.report ?? {};
  if (plan.thread?.kind !== 'pull_request' || aboutNoCommit.has(plan.verb)) return null;
  if (wanted.checkRun === false || (wanted.checkRun === undefined && ports.right === null)) return null;
  const { octokitWith, right, writeToken, ...rest } = ports;
  const { runUrl, store } = rest;
  const own = right === null ? { kind: 'check' as const, token: writeToken } : await right();
  if (own === null) return null;
  await keepOpen(plan, { check: { kind: own.kind, end: null } }, { store, runUrl });
  return startRunCheck(plan, { ...rest, kind: own.kind, octokit: octokitWith(own.token) });
}
