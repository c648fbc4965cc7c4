import type { Outcome } from '../../contract/outcome.ts';
import type { PushTarget, RunPlan } from '../../contract/plan.ts';
import { explainRefusal, readApiRefusal } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { readTemplate } from '../posting/read-template.ts';
import type { Published } from '../report/published.ts';
import { codeSpan, oneLine, sentence } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import type { BranchTarget } from './branches.ts';
import { commitMessage } from './commit-message.ts';
import type { CommitStyle } from './commit-style.ts';
import { type CommitMaterial, commitToHead, commitToNewBranch } from './commit-to-branch.ts';
import { commitVia, type OutletFacts, pushOnlyFile, refuseCommit } from './outlet-rules.ts';
import { completePullRequest, openPullRequest, renderPullRequest } from './pull-request.ts';
import { readCommitStyle } from './read-commit-style.ts';

/** The published changes, and the outlet that is left to the caller. */
export interface ChangesPublished extends Pick<Published, 'commit' | 'pull_request' | 'uncommitted'> {
  /** `suggestions` and `patch` are for the caller to make; the others are done. */
  readonly outlet: 'none' | 'commit' | 'suggestions' | 'patch';
  readonly downgrades: readonly string[];
  readonly failures: readonly string[];
}

/** The result of one outlet; `outlet` is `none` if the changes exist already. */
export type Delivered =
  | (Omit<ChangesPublished, 'outlet'> & { readonly outlet?: 'none' })
  | { readonly refused: readonly string[] };

export interface OutletContext {
  readonly plan: RunPlan;
  readonly facts: OutletFacts;
  readonly ports: PublishPorts;
}

type NewBranch = Extract<PushTarget, { kind: 'new_branch' }>;

/** A commit to make, with the outcome it comes from. */
interface Delivery extends OutletContext {
  readonly outcome: Outcome;
  readonly material: CommitMaterial;
  /** Reads the style once. */
  readonly style: () => Promise<CommitStyle>;
}

/** Commits a run's changes as the plan says, and opens the pull request for a new branch. */
export async function deliverCommit(outcome: Outcome, context: OutletContext): Promise<Delivered> {
  const { plan, facts, ports } = context;
  const { changes } = outcome;
  let learnt: Promise<CommitStyle> | null = null;
  const style = () => {
    learnt ??= readCommitStyle(plan, ports);
    return learnt;
  };
  const message = async () => {
    const coAuthor = ports.config.commit?.coAuthor ?? true;
    return commitMessage(outcome, plan, { style: await style(), coAuthor });
  };
  const material: CommitMaterial = { plan, changes, message, via: commitVia(changes.files, facts) };
  const delivery: Delivery = { ...context, outcome, material, style };
  const { push } = plan;
  try {
    if (push.kind === 'none') return { refused: [push.reason] };
    return await (push.kind === 'branch' ? onHead(delivery, push) : onNewBranch(delivery, push));
  } catch (error) {
    readApiRefusal(error, ports.triedAgain);
    return { refused: [`${asRefused} ${explainRefusal(error, plan)}`] };
  }
}

const asRefused = 'Not committed, as GitHub refused it:';

const refused = (message: string): string => `${asRefused} ${quoted(message)}`;

/** Neutralises GitHub's message for the report. */
const quoted = (message: string): string => publicCut(oneLine(message), 400, '…');

/** Adds a remedy: rules may require signatures, and a pushed commit has none. */
function refusedCommit(message: string, { via, changes }: CommitMaterial): string {
  if (via === 'api') return refused(message);
  const file = pushOnlyFile(changes.files);
  const remedy =
    file === undefined
      ? `A pushed commit has no signature. Where a rule asks for one, set ${codeSpan('commit.via')} to ${codeSpan('api')}.`
      : `${codeSpan(file.path)} needs a git push, whose commit has no signature. Where a rule asks for one, commit the patch yourself.`;
  return `${sentence(refused(message))} ${remedy}`;
}

async function onHead(
  { plan, facts, ports, outcome, material }: Delivery,
  push: Extract<PushTarget, { kind: 'branch' }>,
): Promise<Delivered> {
  const check = (changes: CommitMaterial['changes']) => {
    if (changes.files.length === 0) return 'Not committed.';
    const reason = refuseCommit({ outcome: { ...outcome, changes }, plan, facts });
    return reason ?? { via: commitVia(changes.files, facts) };
  };
  const done = await commitToHead(material, push, check, ports);
  if (done.kind === 'failed') return { refused: [done.reason ?? refusedCommit(done.message, material)] };
  const downgrades = done.note === null ? [] : [done.note];
  if (done.kind === 'same') return { outlet: 'none', downgrades, failures: [] };
  const { sha, url, attestation } = done;
  const commit = { sha, url, attestation, branch: push.branch };
  return { commit, downgrades, failures: [] };
}

async function onNewBranch(delivery: Delivery, push: NewBranch): Promise<Delivered> {
  const { material, ports } = delivery;
  const { branch, result, remains = false } = await commitToNewBranch(material, push, ports);
  if (result.kind === 'moved')
    return { refused: [`Not committed, as others were at work on ${codeSpan(branch)}.`] };
  if (result.kind === 'failed') {
    const why = refusedCommit(result.message, material);
    if (!remains) return { refused: [why] };
    const stays = `The branch ${codeSpan(branch)} has no commit and stays: GitHub refused to delete it.`;
    return { refused: [why, stays] };
  }
  const downgrades = result.unattested === undefined ? [] : [result.unattested];
  const { sha, url, attestation } = result;
  const done = { commit: { sha, url, attestation, branch }, downgrades };
  try {
    return { ...done, ...(await openRunPull(delivery, { ...push, branch })) };
  } catch (error) {
    readApiRefusal(error, ports.triedAgain);
    const why = sentence(explainRefusal(error, delivery.plan));
    const where = `The changes are on ${codeSpan(branch)}.`;
    return { ...done, failures: [`The pull request could not be opened: ${why} ${where}`] };
  }
}

async function openRunPull(
  { outcome, plan, style, ports }: Delivery,
  target: BranchTarget,
): Promise<Required<Pick<ChangesPublished, 'pull_request' | 'failures'>>> {
  const settings = ports.config.pullRequest ?? {};
  const { template, problem } = await readTemplate('pull_request', settings.template, ports);
  const text = renderPullRequest(outcome, plan, { runUrl: ports.runUrl, style: await style(), template });
  const pull = await openPullRequest(plan, target, { ...text, draft: settings.draft ?? true }, ports);
  const failures = await completePullRequest(pull, settings, plan, ports);
  return {
    pull_request: { number: pull.number, url: pull.url },
    failures: [...(problem === null ? [] : [problem]), ...failures],
  };
}
