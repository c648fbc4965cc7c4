import type { Outcome } from '../contract/outcome.ts';
import type { RunPlan } from '../contract/plan.ts';
import { cutText, oneLine } from './markdown.ts';
import { publicText } from './public-text.ts';

/** A commit's message as `createCommitOnBranch` takes it. */
export interface CommitMessage {
  readonly headline: string;
  readonly body: string;
}

const headlineLength = 72;

/**
 * The message of the run's commit: a headline from the task (for an issue its title), the start of the
 * answer, the requester as co-author (GitHub Docs, "Creating a commit with multiple authors"), and the trailer
 * by which the same run finds its commit again.
 */
export function commitMessage(outcome: Outcome, plan: RunPlan): CommitMessage {
  const { login, id, type } = plan.requester;
  const trailers = [
    ...(type === 'User' ? [`Co-authored-by: ${login} <${id}+${login}@users.noreply.github.com>`] : []),
    runTrailer(plan.run_id),
  ];
  const summary = cutText(publicText(plainText(outcome.answer.split(/\n\s*\n/u)[0] ?? '')), 600, '…');
  return {
    headline: headlineOf(outcome, plan),
    body: [summary, trailers.join('\n')].filter((part) => part !== '').join('\n\n'),
  };
}

/** The line that names the run in a commit's message. */
export function runTrailer(runId: string): string {
  return `Anode-Run: ${runId}`;
}

/** One line of at most 72 characters that says what was done, for commits and pull requests. */
export function headlineOf(outcome: Outcome, plan: RunPlan): string {
  const task = plan.verb === 'task' || plan.verb === 'step' ? plan.prompt : '';
  const title = plan.thread?.title ?? '';
  const candidates = plan.verb === 'implement' ? [title, outcome.answer] : [task, outcome.answer, title];
  const lines = candidates.map((text) => plainText(text.trim().split('\n')[0] ?? ''));
  // A single word ("yes", "2") is an answer or an order, not a description.
  const line = lines.find((text) => /\S\s+\S/u.test(text)) ?? 'Apply the changes of a run';
  const safe = publicText(line.replace(/[.:]+$/u, ''));
  return cutText(`${safe.charAt(0).toUpperCase()}${safe.slice(1)}`, headlineLength, '…');
}

/** Markdown's marks at the start of a line and around words taken away; one line. */
function plainText(text: string): string {
  return oneLine(text.replace(/^\s*(?:#{1,6}\s+|[-*>]\s+|\d+\.\s+)/u, '').replace(/\*\*|__/gu, ''));
}
