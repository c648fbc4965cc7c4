import { defaultMention } from '../../config/defaults.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { type PlanProposal, proposalHash } from '../../contract/thread-records.ts';
import { workOf } from '../../contract/work-of.ts';
import { sanitise } from '../../untrusted-text/sanitise.ts';
import { type OwnComment, postOwnComment } from '../posting/own-comment.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn } from '../posting/post-once.ts';
import { codeSpan } from '../text/markdown.ts';
import { hostsOf, publicCut } from '../text/public-text.ts';

const longestPlan = 30_000;

/**
 * Posts and stores a run's plan, with the hash that approves it. The stored text is what is carried
 * out. Null without a plan.
 */
export async function postPlan(
  outcome: Outcome,
  plan: RunPlan,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'store' | 'wait' | 'config' | 'canAsk'>,
): Promise<OwnComment | null> {
  const { thread, repository } = plan;
  const text = planText(outcome.answer, plan);
  const isPlan = workOf(plan) === 'plan' && outcome.conclusion === 'success';
  if (!isPlan || thread === null || text === '') return null;
  const location = { repository, number: thread.number };
  const head_sha = plan.checkout.sha;
  const hash = proposalHash(text, head_sha, location);
  const proposal: PlanProposal = { version: 1, run_id: plan.run_id, hash, text, head_sha };
  const mention = ports.config.triggers?.mention ?? defaultMention;
  const canApprove = ports.canAsk !== false;
  if (canApprove) await ports.store.set(stateKeys.proposal(location.number, hash), JSON.stringify(proposal));
  return postOwnComment(
    {
      octokit: ports.octokit,
      plan,
      thread,
      ownLogin: ports.ownLogin,
      claims: (what) => claimsOn(what, plan, ports),
    },
    'plan',
    canApprove ? renderPlan(proposal, mention) : renderStatelessPlan(proposal, thread.kind, mention),
  );
}

/** Returns the plan without hidden text, cut to the length of a comment. */
function planText(answer: string, plan: RunPlan): string {
  return publicCut(sanitise(answer.trim()).text.trim(), longestPlan, '\n\n[cut]', hostsOf(plan));
}

/** The comment with a plan and how to have it carried out. */
export function renderPlan({ text, hash, head_sha }: PlanProposal, mention: string): string {
  return [
    `**The plan**, on commit ${codeSpan(head_sha.slice(0, 12))}`,
    text,
    '---',
    `Carry it out: ${codeSpan(`/${mention} approve ${hash}`)}`,
    `<sub>As a comment of its own, by a person with write permission to this repository. The plan is carried out as it was posted, whatever this comment is edited to say: once, on that commit. It lapses when the branch moves. For another one: ${codeSpan(`/${mention} plan [what to change]`)}; to drop it: ${codeSpan(`/${mention} deny ${hash}`)}.</sub>`,
  ].join('\n\n');
}

/**
 * The comment with a plan if no approval can be stored: a user requests its execution by a command.
 */
export function renderStatelessPlan(
  { text, head_sha }: Pick<PlanProposal, 'text' | 'head_sha'>,
  kind: 'pull_request' | 'issue',
  mention: string,
): string {
  const command = kind === 'issue' ? 'implement the plan above' : 'task carry out the plan above';
  return [
    `**The plan**, on commit ${codeSpan(head_sha.slice(0, 12))}`,
    text,
    '---',
    `Carry it out: ${codeSpan(`/${mention} ${command}`)}`,
    `<sub>By a person with write permission to this repository. The run reads the plan in this comment. To approve exactly this text by its hash, the workflow needs ${codeSpan('state_secret')}. For another one: ${codeSpan(`/${mention} plan [what to change]`)}.</sub>`,
  ].join('\n\n');
}
