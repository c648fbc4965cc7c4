import type { RunPlan } from '../../contract/plan.ts';

/** Returns the address of the comment that started a run; null if no comment did. */
export function requestUrl({ trigger_comment: comment, thread, repository }: RunPlan): string | null {
  if (comment === null || thread === null) return null;
  const place = thread.kind === 'issue' ? 'issues' : 'pull';
  const anchor = comment.kind === 'issue_comment' ? 'issuecomment-' : 'discussion_r';
  const page = `${repository.clone_url.replace(/\.git$/u, '')}/${place}/${thread.number}`;
  return `${page}#${anchor}${comment.id}`;
}
