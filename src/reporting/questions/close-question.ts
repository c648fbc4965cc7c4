import type { Octokit } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import type { Question } from '../../contract/run-results.ts';
import type { PostedBoxes } from '../../contract/thread-records.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiRefusal } from '../posting/api-failure.ts';
import type { PublishLog } from '../posting/ports.ts';
import { renderAnswered } from './render-question.ts';

/** Returns a link to the comment with the answer; none for a tick. */
function answerLink({ trigger_comment: comment, thread, repository }: RunPlan): string[] {
  if (comment === null || thread === null) return [];
  const place = thread.kind === 'issue' ? 'issues' : 'pull';
  const anchor = comment.kind === 'issue_comment' ? 'issuecomment-' : 'discussion_r';
  const page = `${repository.clone_url.replace(/\.git$/u, '')}/${place}/${thread.number}`;
  return [`[The answer, and how it went on](${page}#${anchor}${comment.id})`];
}

/**
 * Closes the comment of an answered question: the answer and its author replace the boxes. A
 * refused edit is logged.
 */
export async function closeQuestion(
  { comment_id, text }: PostedBoxes,
  question: Question,
  plan: RunPlan,
  { octokit, log }: { readonly octokit: Octokit; readonly log: PublishLog },
): Promise<void> {
  const { answer = '', answered_by: by = '' } = plan.resume ?? {};
  const [marker = ''] = text.split('\n');
  try {
    await octokit.rest.issues.updateComment({
      ...repoOf(plan),
      comment_id,
      body: [
        `${marker}\n${renderAnswered(question, answer, by === '' ? null : by)}`,
        ...answerLink(plan),
      ].join('\n\n'),
    });
  } catch (error) {
    log.warn(
      { comment: comment_id, status: readApiRefusal(error).status },
      'The question could not be closed.',
    );
  }
}
