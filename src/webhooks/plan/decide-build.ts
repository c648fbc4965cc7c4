import type { RunPlan } from '../../contract/plan.ts';
import type { EventRequest } from '../authorize/authorize-event.ts';
import type { DecideContext } from '../authorize/decide-context.ts';
import { failureSignature } from './failure-signature.ts';
import { readBuildCommand } from './read-build-command.ts';
import { type BuildTries, readBuildTries } from './read-build-tries.ts';
import { type FailingCheck, readFailingChecks } from './read-failing-checks.ts';

/** A failed build that a run may repair. */
export interface FailedBuild {
  readonly kind: 'repair';
  readonly checks: readonly FailingCheck[];
  readonly facts: NonNullable<RunPlan['build']>;
}

/** Decision on a failed build. A stop is reported on the thread, once. */
type BuildDecision =
  | FailedBuild
  | { readonly kind: 'ignore'; readonly reason: string }
  /** `fails` is true if a workflow's job has to be given a permission. Default: false. */
  | { readonly kind: 'stop'; readonly reason: string; readonly fails?: boolean };

/** Maximum runs for one chain of commits of ours. */
const mostTries = 3;

/**
 * Reads why a build failed and what was tried before, and decides on a run. Only the newest head of
 * a branch of this repository is repaired: of our own pull requests, or of all if
 * `triggers.failedBuild` is `all`.
 */
export async function decideBuild(request: EventRequest, context: DecideContext): Promise<BuildDecision> {
  const ignored = ignoreReason(request, context);
  if (ignored !== null) return { kind: 'ignore', reason: ignored };
  const { trigger, facts } = request;
  const { octokit, settings } = context;
  const { owner, name: repo } = trigger.repository;
  const head = facts.pull?.head.sha ?? '';
  const reader = await context.checks?.().catch(() => null);
  const checks = reader === null ? null : await readFailingChecks(reader ?? octokit, { owner, repo }, head);
  const pull = { owner, repo, number: trigger.thread.number, head };
  const tries = await readBuildTries(octokit, pull, settings.ownLogins);
  const decided = decideTry(checks, tries, head, settings.host);
  if (decided.kind !== 'repair') return decided;
  const { path } = trigger.build ?? { path: null };
  const scripts = decided.checks.flatMap((check) => check.scripts);
  const ref = facts.pull?.base.sha ?? facts.baseHead;
  const command = path === null ? null : await readBuildCommand(octokit, { owner, repo, ref, path }, scripts);
  return { ...decided, facts: { ...decided.facts, command } };
}

/** Returns why a failed build is not ours to repair; null if it is. */
function ignoreReason({ facts, config, trigger }: EventRequest, { settings }: DecideContext): string | null {
  const { pull } = facts;
  const scope = config.triggers?.failedBuild ?? (settings.host === 'app' ? 'off' : 'own');
  if (scope === 'off') return 'failed builds are left alone (triggers.failedBuild)';
  if (pull === null || pull.state === 'closed') return 'the pull request is closed';
  const { owner, name } = trigger.repository;
  if (pull.head.repository?.toLowerCase() !== `${owner}/${name}`.toLowerCase())
    return 'the pull request comes from a fork, whose builds are never repaired';
  const isOurs = settings.ownLogins.includes(pull.author ?? '');
  if (scope === 'own' && !isOurs)
    return 'the pull request is not ours, and `triggers.failedBuild` is not `all`';
  return null;
}

/** Decides on another try from what failed and what was tried. Pure. */
export function decideTry(
  checks: readonly FailingCheck[] | null,
  { tries, comments }: BuildTries,
  head: string,
  host: DecideContext['settings']['host'] = 'app',
): BuildDecision {
  const at = head.slice(0, 12);
  const stop = (reason: string): BuildDecision =>
    comments.some((body) => body.includes(reason))
      ? { kind: 'ignore', reason: 'the thread was told before why its build is not repaired' }
      : { kind: 'stop', reason };
  if (checks === null) {
    const line = ' Add the lines `checks: read` and `actions: read` under `permissions:` in the workflow.';
    const needs = 'It takes the permissions checks: read and actions: read.';
    const unread = stop(
      `The build of ${at} failed, and I cannot read why. ${needs}${host === 'action' ? line : ''}`,
    );
    return unread.kind === 'stop' ? { ...unread, fails: true } : unread;
  }
  if (checks.length === 0) return { kind: 'ignore', reason: 'no check of the head fails any more' };
  const signature = failureSignature(checks);
  const names = checks
    .map(({ name }) => name)
    .join(', ')
    .slice(0, 200);
  if (tries.some((one) => one.signature === signature))
    return stop(
      `The build of ${at} fails as it did before my last try (${names}), so I stop here. Say what to do with /anode fix and some words.`,
    );
  if (tries.length >= mostTries)
    return stop(
      `The build of ${at} still fails after ${mostTries} tries (${names}), so I stop here. Say what to do with /anode fix and some words.`,
    );
  return { kind: 'repair', checks, facts: { signature, command: null } };
}
