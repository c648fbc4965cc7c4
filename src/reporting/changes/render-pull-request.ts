import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { markedBody } from '../posting/own-comment.ts';
import { renderTodos } from '../progress/render-progress.ts';
import { fillTemplate } from '../text/fill-template.ts';
import { hostsOf, publicCut, publicText } from '../text/public-text.ts';
import { headlineOf, withoutHeadline } from './commit-message.ts';
import { type CommitStyle, plainStyle } from './commit-style.ts';

/** How a pull request is worded beside what the run says. */
export interface PullRequestSettings {
  readonly runUrl: string | null;
  readonly style?: CommitStyle;
  /** The repository's template, from the base branch. */
  readonly template?: string | null;
}

/**
 * Title and body of the pull request a run opens: what it does, without the headline that is its title, the issue it closes, how it came about, in the repository's
 * template if it has one. Only our own line closes an issue; such words of the model or a template are made harmless.
 */
export function renderPullRequest(
  outcome: Outcome,
  plan: RunPlan,
  { runUrl, style = plainStyle, template = null }: PullRequestSettings,
): { title: string; body: string } {
  const closes = plan.push.kind === 'new_branch' ? plan.push.closes : null;
  const answer = publicCut(withoutHeadline(outcome.answer), 30_000, '\n\n[cut]', hostsOf(plan));
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const title = headlineOf(outcome, plan, style);
  const from = plan.thread === null ? '' : `For #${plan.thread.number}`;
  const material = {
    summary: answer,
    steps: renderTodos(outcome.todos),
    issue: closes === null ? from : `Closes #${closes}`,
    title: publicText(title, hostsOf(plan)),
    requester: plan.requester.login,
    run,
  };
  const parts = [
    template === null
      ? [material.summary, material.steps, closes === null ? '' : material.issue]
          .filter((part) => part !== '')
          .join('\n\n')
      : fillTemplate(template, material),
    `<sub>Made by an Anode ${run} for ${plan.requester.login}, with ${outcome.model}.</sub>`,
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return { title, body: markedBody(plan, 'pull-request', text) };
}
