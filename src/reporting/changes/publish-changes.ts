import type { ChangeSet } from '../../contract/change.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { PushTarget, RunPlan } from '../../contract/plan.ts';
import { isOutage } from '../../github/is-outage.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { readTemplate } from '../posting/read-template.ts';
import type { Published } from '../report/published.ts';
import { codeSpan, oneLine, sentence } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import { findRunCommit } from './commit-changes.ts';
import { commitMessage } from './commit-message.ts';
import { type CommitStyle, readCommitStyle } from './commit-style.ts';
import { type CommitMaterial, commitToHead, commitToNewBranch } from './commit-to-branch.ts';
import { decideOutlet, type Outlet, type OutletFacts, pushOnlyFile, weakerOutlet } from './decide-outlet.ts';
import { type BranchPlan, dressPullRequest, openPullRequest, renderPullRequest } from './pull-request.ts';

/** The published changes, and the outlet that is left to the caller. */
export interface ChangesPublished extends Pick<Published, 'commit' | 'pull_request'> {
  /** `suggestions` and `patch` are for the caller to make; the others are done. */
  readonly outlet: Outlet['kind'];
  readonly downgrades: readonly string[];
  readonly failures: readonly string[];
}

type Branch = Extract<PushTarget, { kind: 'branch' }>;
type NewBranch = Extract<PushTarget, { kind: 'new_branch' }>;

/**
 * Commits a run's changes and opens the pull request, as the plan says. If GitHub refuses, the next
 * weaker outlet is used and the reason given. Throws defects only.
 */
export async function publishChanges(
  outcome: Outcome,
  plan: RunPlan,
  ports: PublishPorts,
): Promise<ChangesPublished> {
  const { config } = ports;
  const facts: OutletFacts = {
    protectedAllow: config.protected?.allow ?? [],
    canPush: ports.pushCommit !== undefined,
    hasDiff: ports.pullRequestDiff !== null,
    settings: config.commit ?? {},
  };
  const { push } = plan;
  if (ports.wordsOnly !== undefined) return onlyWords(outcome, plan, ports.wordsOnly, ports);
  const { outlet, reason } = decideOutlet(outcome, plan, facts);
  if (outlet.kind !== 'commit' || push.kind === 'none') {
    return { outlet: outlet.kind, downgrades: reason === null ? [] : [reason], failures: [] };
  }
  let learnt: Promise<CommitStyle> | null = null;
  const style = () => {
    learnt ??= readCommitStyle(plan, ports);
    return learnt;
  };
  const message = async () =>
    commitMessage(outcome, plan, { style: await style(), coAuthor: config.commit?.coAuthor ?? true });
  const material: CommitMaterial = { plan, changes: outcome.changes, message, via: outlet.via };
  try {
    if (push.kind === 'new_branch') return await onNewBranch(material, outcome, push, facts, style, ports);
    return await onHead(material, outcome, push, facts, ports);
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || (ports.triedAgain && isOutage(error))) throw error;
    return weaker(plan, facts, refused(failure.message));
  }
}

/**
 * Reports a commit that an earlier attempt made while it was allowed. Otherwise the changes are a
 * patch.
 */
async function onlyWords(
  outcome: Outcome,
  plan: RunPlan,
  reason: string,
  ports: PublishPorts,
): Promise<ChangesPublished> {
  const { push } = plan;
  const changed = outcome.changes.files.length > 0 && outcome.conclusion !== 'waiting';
  const made = changed && push.kind === 'branch' ? await findRunCommit(plan, push.branch, ports) : null;
  if (made !== null && push.kind === 'branch') {
    const commit = { sha: made.sha, url: made.url, branch: push.branch };
    return { outlet: 'commit', commit, downgrades: [], failures: [] };
  }
  const downgrades = changed ? [`Not committed: ${sentence(reason)}`] : [];
  return { outlet: changed ? 'patch' : 'none', downgrades, failures: [] };
}

function weaker(plan: RunPlan, facts: OutletFacts, ...downgrades: readonly string[]): ChangesPublished {
  return { outlet: weakerOutlet(plan, facts.hasDiff).kind, downgrades, failures: [] };
}

const refused = (message: string): string => `Not committed, as GitHub refused it: ${saidByGitHub(message)}`;

/** Adds a remedy: rules may require signatures, and a pushed commit has none. */
function refusedCommit(message: string, { via, changes }: Pick<CommitMaterial, 'via' | 'changes'>): string {
  if (via === 'api') return refused(message);
  const file = pushOnlyFile(changes.files);
  const remedy =
    file === undefined
      ? `A pushed commit has no signature. Where a rule asks for one, set ${codeSpan('commit.via')} to ${codeSpan('api')}.`
      : `${codeSpan(file.path)} needs a git push, whose commit has no signature. Where a rule asks for one, commit the patch yourself.`;
  return `${sentence(refused(message))} ${remedy}`;
}

/** A refusal's own words, fit for the report. */
function saidByGitHub(message: string): string {
  return publicCut(oneLine(message), 400, '…');
}

async function onHead(
  material: CommitMaterial,
  outcome: Outcome,
  push: Branch,
  facts: OutletFacts,
  ports: PublishPorts,
): Promise<ChangesPublished> {
  const { plan } = material;
  const judge = (changes: ChangeSet) => {
    const { outlet, reason } = decideOutlet({ ...outcome, changes }, plan, facts);
    return outlet.kind === 'commit' ? outlet : (reason ?? 'Not committed.');
  };
  const done = await commitToHead(material, push, judge, ports);
  if (done.kind === 'failed')
    return weaker(plan, facts, done.reason ?? refusedCommit(done.message, material));
  const downgrades = done.note === null ? [] : [done.note];
  if (done.kind === 'same') return { outlet: 'none', downgrades, failures: [] };
  const commit = { sha: done.sha, url: done.url, branch: push.branch };
  return { outlet: 'commit', commit, downgrades, failures: [] };
}

async function onNewBranch(
  material: CommitMaterial,
  outcome: Outcome,
  push: NewBranch,
  facts: OutletFacts,
  style: () => Promise<CommitStyle>,
  ports: PublishPorts,
): Promise<ChangesPublished> {
  const { plan } = material;
  const { branch, result, left = false } = await commitToNewBranch(material, push, ports);
  if (result.kind === 'moved') {
    return weaker(plan, facts, `Not committed, as others were at work on ${codeSpan(branch)}.`);
  }
  if (result.kind === 'failed') {
    const why = refusedCommit(result.message, material);
    if (!left) return weaker(plan, facts, why);
    const stays = `The branch ${codeSpan(branch)} has no commit and stays: GitHub refused to delete it.`;
    return weaker(plan, facts, why, stays);
  }
  const commit = { sha: result.sha, url: result.url, branch };
  const done = { outlet: 'commit' as const, commit, downgrades: [] };
  try {
    const opened = await openRunPull(outcome, plan, { ...push, branch }, await style(), ports);
    return { ...done, ...opened };
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || (ports.triedAgain && isOutage(error))) throw error;
    const words = saidByGitHub(failure.message);
    const where = `The changes are on ${codeSpan(branch)}.`;
    return { ...done, failures: [`The pull request could not be opened: ${words} ${where}`] };
  }
}

async function openRunPull(
  outcome: Outcome,
  plan: RunPlan,
  target: BranchPlan,
  style: CommitStyle,
  ports: PublishPorts,
): Promise<Required<Pick<ChangesPublished, 'pull_request' | 'failures'>>> {
  const settings = ports.config.pullRequest ?? {};
  const { template, problem } = await readTemplate('pull_request', settings.template, ports);
  const text = renderPullRequest(outcome, plan, { runUrl: ports.runUrl, style, template });
  const pull = await openPullRequest(plan, target, { ...text, draft: settings.draft ?? true }, ports);
  const failures = await dressPullRequest(pull, settings, plan, ports);
  return {
    pull_request: { number: pull.number, url: pull.url },
    failures: [...(problem === null ? [] : [problem]), ...failures],
  };
}
