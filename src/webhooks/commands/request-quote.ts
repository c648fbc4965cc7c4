import type { RepositoryRef } from '../../contract/plan.ts';
import type { Trigger } from './trigger.ts';

/** Maximum characters of a quoted request. */
const longest = 80;

/** Returns the first words of a text as code. Pure. */
export function shortCode(text: string): string {
  const line = text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim();
  return `\`${line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line}\``;
}

/** Quotes the verb and the first words of a request as code. */
export const requestCode = ({
  kind,
  text,
  incremental,
}: Pick<Trigger, 'kind' | 'text' | 'incremental'>): string =>
  shortCode(`${kind}${incremental === true ? ' -i' : ''} ${text}`);

interface RequestSource {
  readonly login: string;
  readonly thread: Trigger['thread'];
  readonly comment: Trigger['comment'];
}

/** Returns `as ada asked`, with a link to the comment if there is one. */
export function requestLink(
  { login, thread, comment }: RequestSource,
  { clone_url }: Pick<RepositoryRef, 'clone_url'>,
): string {
  const words = `as ${login} asked`;
  if (comment === null) return words;
  const anchor = comment.kind === 'issue_comment' ? 'issuecomment-' : 'discussion_r';
  const page = `${clone_url.replace(/\.git$/, '')}/${thread.kind === 'issue' ? 'issues' : 'pull'}`;
  return `[${words}](${page}/${thread.number}#${anchor}${comment.id})`;
}
