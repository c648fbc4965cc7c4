import type { Outcome } from '../contract/outcome.ts';
import type { RunPlan } from '../contract/plan.ts';
import { headlineOf } from './commit-message.ts';
import { closedMarkdown, cutText } from './markdown.ts';
import { markedBody } from './own-comment.ts';
import { allowanceOf, publicText } from './public-text.ts';
import { renderTodos } from './render-progress.ts';

/**
 * Title and body of the pull request a run opens: what it does, the issue it closes, how it came about. Only
 * our own line closes an issue; such words of the model are made harmless.
 */
export function renderPullRequest(
  outcome: Outcome,
  plan: RunPlan,
  runUrl: string | null,
): { title: string; body: string } {
  const closes = plan.push.kind === 'new_branch' ? plan.push.closes : null;
  const answer = cutText(publicText(outcome.answer.trim(), allowanceOf(plan)), 40_000, '\n\n[cut]');
  const run = runUrl === null ? 'run' : `[run](${runUrl})`;
  const parts = [
    closedMarkdown(answer),
    renderTodos(outcome.todos),
    closes === null ? '' : `Closes #${closes}`,
    `<sub>Made by an Anode ${run} for ${plan.requester.login}, with ${outcome.model}.</sub>`,
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return { title: headlineOf(outcome, plan), body: markedBody(plan, 'pull-request', text) };
}
