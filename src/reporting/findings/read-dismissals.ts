import type { Octokit } from '@octokit/rest';
import { dismissalIn } from '../../contract/dismissal.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { canWrite } from '../../contract/repository-permissions.ts';
import { isNotFound } from '../../github/api-errors.ts';
import { repoOf } from '../../github/api-target.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { OwnReviewComment } from './own-posts.ts';
import { isOwnLogin, type ReviewThread } from './review-threads.ts';

/**
 * Returns the dismissed findings by id, with who dismissed them: by resolving the thread, a 👎, or
 * an answer such as "won't fix". It takes write permission: the pull request's author may resolve
 * threads, but must not silence a blocker.
 */
export async function readDismissals(
  comments: readonly OwnReviewComment[],
  threads: ReadonlyMap<number, ReviewThread> | null,
  plan: Pick<RunPlan, 'repository'>,
  { octokit, ownLogin }: { readonly octokit: Octokit; readonly ownLogin: string },
): Promise<ReadonlyMap<string, string>> {
  const mayWrite = rememberWriters(plan, octokit);
  const dismissed = new Map<string, string>();
  for (const comment of comments) {
    for (const login of await dismissersOf(comment, threads, plan, octokit)) {
      if (isOwnLogin(login, ownLogin) || !(await mayWrite(login))) continue;
      dismissed.set(comment.fp, login);
      break;
    }
  }
  return dismissed;
}

/**
 * True if a finding is no longer dismissed on GitHub: the thread is open, 👎 and answers are gone.
 */
export function isReopened(comment: OwnReviewComment, thread: ReviewThread | undefined): boolean {
  const answered = comment.replies.some(({ body, bot }) => !bot && dismissalIn(body) !== null);
  return thread !== undefined && !thread.resolved && comment.thumbsDown === 0 && !answered;
}

async function dismissersOf(
  comment: OwnReviewComment,
  threads: ReadonlyMap<number, ReviewThread> | null,
  plan: Pick<RunPlan, 'repository'>,
  octokit: Octokit,
): Promise<string[]> {
  const thread = threads?.get(comment.id);
  const resolver = thread?.resolved && thread.resolvedBy !== null ? [thread.resolvedBy] : [];
  const answers = comment.replies
    .filter(({ body, bot }) => !bot && dismissalIn(body) !== null)
    .map(({ login }) => login);
  if (comment.thumbsDown === 0) return [...resolver, ...answers];
  const reactions = await octokit.paginate(octokit.rest.reactions.listForPullRequestReviewComment, {
    ...repoOf(plan),
    comment_id: comment.id,
    content: '-1',
    per_page: 100,
  });
  return [...resolver, ...answers, ...reactions.flatMap(({ user }) => (user === null ? [] : [user.login]))];
}

/** Asks GitHub once for each account. */
function rememberWriters(
  plan: Pick<RunPlan, 'repository'>,
  octokit: Octokit,
): (login: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  const ask = async (username: string): Promise<boolean> => {
    const { owner, name: repo } = plan.repository;
    try {
      const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username });
      return canWrite(data);
    } catch (error) {
      // Accounts of apps are not collaborators. If the token may not ask, no one can dismiss.
      if (isNotFound(error) || readApiFailure(error)?.status === 403) return false;
      throw error;
    }
  };
  return (login) => {
    const answer = answers.get(login) ?? ask(login);
    answers.set(login, answer);
    return answer;
  };
}
