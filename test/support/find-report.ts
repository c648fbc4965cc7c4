import type { RepositoryHandle } from './github/repository-handle.ts';

type CommentRecord = ReturnType<RepositoryHandle['comments']>[number];

/** A body as a reader of the page sees it: without the hidden lines. */
export function visible(body: string): string {
  return body.replaceAll(/<!--[\s\S]*?-->\n?/g, '').trim();
}

/** The bot's first comment after the one with the id `after` that is a report and no longer progress. */
export function findReport(
  repository: RepositoryHandle,
  bot: string,
  number: number,
  after: number,
): CommentRecord | undefined {
  return repository
    .comments(number)
    .filter((comment) => comment.id > after && comment.author === bot)
    .find(({ body }) => {
      const text = visible(body);
      const ended =
        /^\*\*(No findings|Nothing is open|\d+ open finding|Nothing changed|Answered, nothing changed|Not committed|Done|Failed|Stopped|Waiting for an answer|Waiting for approval|Cancelled)/.test(
          text,
        );
      return ended && !/<sub>(Turn|Starting)/.test(text);
    });
}
