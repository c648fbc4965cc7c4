import type { Octokit, RestEndpointMethodTypes } from '@octokit/rest';
import type { RunPlan } from '../../contract/plan.ts';
import { pullOf, repoOf } from '../../github/api-target.ts';
import { beginsWithMarker, readMarker, readMarkers } from '../text/marker.ts';

/** One of our reviews on GitHub. */
export interface OwnReview {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly state: string;
  readonly commit: string | null;
  /** The run that posted it, from its marker. */
  readonly run: string | null;
  /** True where its run broke off before it had seen everything. */
  readonly partial: boolean;
}

/** Our comment on a finding or a suggested change, with people's replies. */
export interface OwnReviewComment {
  /** The id of the finding. */
  readonly fp: string;
  /** The fields of its marker. */
  readonly fields: Readonly<Record<string, string>>;
  readonly id: number;
  readonly nodeId: string;
  readonly reviewId: number | null;
  readonly path: string;
  readonly side: 'LEFT' | 'RIGHT';
  readonly line: number;
  readonly diffHunk: string;
  readonly body: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Number of 👎 reactions. */
  readonly thumbsDown: number;
  readonly replies: readonly { readonly login: string; readonly bot: boolean; readonly body: string }[];
}

/** Our earlier posts on a pull request. */
export interface OwnPosts {
  readonly reviews: readonly OwnReview[];
  readonly comments: readonly OwnReviewComment[];
  /** Findings listed in the text of our reviews or of the summary, by id, with the review. */
  readonly listed: ReadonlyMap<
    string,
    { readonly reviewId: number | null; readonly fields: Readonly<Record<string, string>> }
  >;
  /** Later comments with the id of an earlier one. Default: there are none. */
  readonly repeated?: readonly { readonly id: number; readonly reviewId: number | null }[];
  /** The commit that our summary says was reviewed. Default: the summary was not read. */
  readonly summaryHead?: string | null;
}

/**
 * Reads all our reviews and comments. Counts only posts of our own account that begin with our
 * marker; line comments must also belong to such a review. For a repeated id, the first one counts.
 */
export async function readOwnPosts(
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  octokit: Octokit,
  ownLogin: string,
): Promise<OwnPosts> {
  const target = {
    ...pullOf(plan),
    per_page: 100,
  };
  const [reviews, comments] = await Promise.all([
    octokit.paginate(octokit.rest.pulls.listReviews, target),
    octokit.paginate(octokit.rest.pulls.listReviewComments, target),
  ]);
  const own = reviews
    .filter(({ user, body }) => user?.login === ownLogin && beginsWithMarker(body, 'review'))
    .map((review) => ({
      id: review.id,
      url: review.html_url,
      body: review.body,
      state: review.state,
      commit: review.commit_id,
      run: readMarker(review.body, 'review')?.run ?? null,
      partial: readMarker(review.body, 'review')?.partial !== undefined,
    }));
  const { found, repeated } = ownComments(comments, new Set(own.map(({ id }) => id)), ownLogin);
  const listed = own.flatMap((review) =>
    readMarkers(review.body, 'finding').flatMap(({ fp, ...fields }) =>
      fp === undefined ? [] : [[fp, { reviewId: review.id, fields: { fp, ...fields } }] as const],
    ),
  );
  return { reviews: own, comments: found, repeated, listed: new Map(listed.toReversed()) };
}

/** Reads the same, with what our summary lists: without a record, nothing else knows it. */
export async function readAllOwnPosts(
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  octokit: Octokit,
  ownLogin: string,
): Promise<OwnPosts> {
  const [posts, summary] = await Promise.all([
    readOwnPosts(plan, octokit, ownLogin),
    findSummary(plan, octokit, ownLogin),
  ]);
  if (summary === null) return posts;
  const inSummary = readMarkers(summary.body, 'finding').flatMap(({ fp, ...fields }) =>
    fp === undefined ? [] : [[fp, { reviewId: null, fields: { fp, ...fields } }] as const],
  );
  const summaryHead = readMarker(summary.body, 'summary')?.head ?? null;
  return { ...posts, listed: new Map([...inSummary, ...posts.listed]), summaryHead };
}

/** Our summary comment on a pull request, by marker and author; null if there is none. */
export async function findSummary(
  plan: Pick<RunPlan, 'repository' | 'thread'>,
  octokit: Octokit,
  ownLogin: string,
): Promise<{ readonly id: number; readonly url: string; readonly body: string } | null> {
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...repoOf(plan),
    issue_number: plan.thread?.number ?? 0,
    per_page: 100,
  });
  for await (const { data } of pages) {
    const own = data.find(({ user, body }) => user?.login === ownLogin && beginsWithMarker(body, 'summary'));
    if (own !== undefined) return { id: own.id, url: own.html_url, body: own.body ?? '' };
  }
  return null;
}

type Comment = RestEndpointMethodTypes['pulls']['listReviewComments']['response']['data'][number];

/**
 * Returns our line comments, which belong to our reviews. Another's with our marker does not. Of
 * one id, the first counts.
 */
function ownComments(
  comments: readonly Comment[],
  reviewIds: ReadonlySet<number | null>,
  ownLogin: string,
): { readonly found: OwnReviewComment[]; readonly repeated: NonNullable<OwnPosts['repeated']> } {
  const found = new Map<string, OwnReviewComment>();
  const repeated: { id: number; reviewId: number | null }[] = [];
  for (const comment of comments) {
    const { user, body, in_reply_to_id: root } = comment;
    const fields = readMarker(body, 'finding');
    const fp = fields?.fp;
    if (user?.login !== ownLogin || root !== undefined || !fields || !fp) continue;
    if (!reviewIds.has(comment.pull_request_review_id)) continue;
    if (!beginsWithMarker(body, 'finding')) continue;
    if (found.has(fp)) {
      repeated.push({ id: comment.id, reviewId: comment.pull_request_review_id });
      continue;
    }
    const replies = comments.filter((reply) => reply.in_reply_to_id === comment.id);
    found.set(fp, {
      ...{ fp, fields, body, path: comment.path, diffHunk: comment.diff_hunk },
      id: comment.id,
      nodeId: comment.node_id,
      reviewId: comment.pull_request_review_id,
      createdAt: comment.created_at,
      side: comment.side === 'LEFT' ? 'LEFT' : 'RIGHT',
      line: comment.line ?? comment.original_line ?? 1,
      thumbsDown: comment.reactions?.['-1'] ?? 0,
      replies: replies.map((reply) => ({
        login: reply.user?.login ?? '',
        bot: reply.user?.type !== 'User',
        body: reply.body,
      })),
    });
  }
  return { found: [...found.values()], repeated };
}
