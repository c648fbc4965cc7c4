import type { Octokit } from '@octokit/rest';
import type { JsonObject } from '../../contract/json.ts';
import type { Trigger } from '../commands/trigger.ts';
import { stringAt, threadIn } from '../triggers/payload-reader.ts';
import type { ThreadEntry, ThreadSnapshot } from './thread-context.ts';

const pageSize = 100;

/**
 * Reads the thread of a trigger. Title and body come from the event, so later edits change nothing.
 * From the API come the newest 200 comments, 100 review comments and 100 reviews.
 */
export async function readThreadSnapshot(
  octokit: Octokit,
  trigger: Trigger,
  payload: JsonObject,
): Promise<ThreadSnapshot> {
  const { repository, thread } = trigger;
  const address = { owner: repository.owner, repo: repository.name };
  const onPull = thread.kind === 'pull_request';
  const lists = await Promise.all([
    readComments(octokit, { ...address, issue_number: thread.number }),
    onPull ? readReviewComments(octokit, { ...address, pull_number: thread.number }) : [],
    onPull ? readReviews(octokit, { ...address, pull_number: thread.number }) : [],
  ]);
  const described = threadIn(payload) ?? {};
  return {
    title: stringAt(described, 'title') ?? '',
    author: stringAt(described, 'user', 'login') ?? 'ghost',
    bot: stringAt(described, 'user', 'type') === 'Bot',
    body: stringAt(described, 'body') ?? '',
    entries: lists.flat(),
  };
}

type RepositoryAddress = { owner: string; repo: string };

async function readComments(
  octokit: Octokit,
  address: RepositoryAddress & { issue_number: number },
): Promise<ThreadEntry[]> {
  const page = (number: number) =>
    octokit.rest.issues.listComments({ ...address, per_page: pageSize, page: number });
  const first = await page(1);
  const last = lastPage(first.headers.link);
  const pages = await Promise.all([...new Set([last - 1, last])].filter((number) => number > 1).map(page));
  const newest = last > 2 ? pages : [first, ...pages];
  return newest
    .flatMap(({ data }) => data)
    .map((comment) => ({
      kind: 'comment',
      id: comment.id,
      author: comment.user?.login ?? 'ghost',
      bot: comment.user?.type === 'Bot',
      body: comment.body ?? '',
      created_at: comment.created_at,
      updated_at: comment.updated_at,
      location: null,
    }));
}

async function readReviewComments(
  octokit: Octokit,
  address: RepositoryAddress & { pull_number: number },
): Promise<ThreadEntry[]> {
  const newest = { sort: 'created', direction: 'desc', per_page: pageSize } as const;
  const { data } = await octokit.rest.pulls.listReviewComments({ ...address, ...newest });
  // Comments of one second differ only in their order.
  return data.toReversed().map((comment) => ({
    kind: 'review_comment',
    id: comment.id,
    author: comment.user?.login ?? 'ghost',
    bot: comment.user?.type === 'Bot',
    body: comment.body,
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    location: comment.line == null ? comment.path : `${comment.path}:${comment.line}`,
    ...(comment.in_reply_to_id === undefined ? {} : { root_id: comment.in_reply_to_id }),
  }));
}

async function readReviews(
  octokit: Octokit,
  address: RepositoryAddress & { pull_number: number },
): Promise<ThreadEntry[]> {
  const page = (number: number) =>
    octokit.rest.pulls.listReviews({ ...address, per_page: pageSize, page: number });
  const first = await page(1);
  const last = lastPage(first.headers.link);
  const { data } = last > 1 ? await page(last) : first;
  return data.flatMap((review) =>
    review.submitted_at === undefined
      ? []
      : [
          {
            kind: 'review' as const,
            id: review.id,
            author: review.user?.login ?? 'ghost',
            bot: review.user?.type === 'Bot',
            body: review.body,
            created_at: review.submitted_at,
            updated_at: review.submitted_at,
            location: null,
          },
        ],
  );
}

/**
 * Returns the last page's number from the `Link` header. GitHub docs: "Using pagination in the REST
 * API".
 */
function lastPage(link: string | undefined): number {
  const match = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(link ?? '');
  return match === null ? 1 : Number(match[1]);
}
