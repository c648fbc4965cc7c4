import type { RunPlan } from '../contract/plan.ts';
import type { HunkMap } from './hunk-map.ts';
import { type MadeReview, makeReview, type ReviewMaterial } from './make-review.ts';
import { beginsWithMarker, readMarker, readMarkers } from './marker.ts';
import type { PublishPorts } from './ports.ts';
import { postOnce, withoutRetries } from './post-once.ts';

/** A review as it stands on GitHub, with the number of its comments on lines. */
export interface PostedReview {
  readonly id: number;
  readonly url: string;
  readonly comments: number;
}

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'config'>;
type Material = Pick<ReviewMaterial, 'findings' | 'suggestions'>;

/**
 * Posts what a run has to say about lines as one review, on the commit the run looked at, or finds the one it
 * posted before. What our earlier reviews said already is left out; without anything new there is no review.
 */
export async function postReview(
  plan: RunPlan,
  material: Material,
  map: HunkMap,
  ports: Ports,
): Promise<{ posted: PostedReview | null; made: MadeReview }> {
  const place = { owner: plan.repository.owner, repo: plan.repository.name };
  const pull_number = plan.thread?.number ?? 0;
  const earlier = await listOwnReviews(plan, ports);
  const existing = findReview(plan, earlier);
  const seen = await seenFingerprints(plan, earlier, existing?.id ?? null, ports);
  const made = makeReview({ ...material, plan, map, seen, settings: ports.config.review ?? {} });
  const { review } = made;
  if (review === null) return { posted: null, made };
  const comments = review.comments.length;
  if (existing !== null) return { posted: { ...existing, comments }, made };
  const posted = await postOnce(
    async () => findReview(plan, await listOwnReviews(plan, ports)),
    async () => {
      const { data } = await ports.octokit.rest.pulls.createReview({
        ...place,
        pull_number,
        commit_id: plan.checkout.sha,
        event: 'COMMENT',
        body: review.body,
        comments: review.comments.map((comment) => ({ ...comment })),
        request: withoutRetries,
      });
      return { id: data.id, url: data.html_url };
    },
  );
  return { posted: { ...posted, comments }, made };
}

interface OwnReview {
  readonly id: number;
  readonly url: string;
  readonly body: string;
}

async function listOwnReviews(plan: RunPlan, { octokit, ownLogin }: Ports): Promise<OwnReview[]> {
  const reviews = await octokit.paginate(octokit.rest.pulls.listReviews, {
    owner: plan.repository.owner,
    repo: plan.repository.name,
    pull_number: plan.thread?.number ?? 0,
    per_page: 100,
  });
  return reviews
    .filter((review) => review.user?.login === ownLogin)
    .map((review) => ({ id: review.id, url: review.html_url, body: review.body }));
}

function findReview(plan: RunPlan, reviews: readonly OwnReview[]): { id: number; url: string } | null {
  const own = reviews.find((review) => readMarker(review.body, 'review')?.run === plan.run_id);
  return own === undefined ? null : { id: own.id, url: own.url };
}

/** What our reviews of this pull request said, on lines and in their texts, but for this run's own. */
async function seenFingerprints(
  plan: RunPlan,
  reviews: readonly OwnReview[],
  runReview: number | null,
  { octokit, ownLogin }: Ports,
): Promise<Set<string>> {
  const comments = await octokit.paginate(octokit.rest.pulls.listReviewComments, {
    owner: plan.repository.owner,
    repo: plan.repository.name,
    pull_number: plan.thread?.number ?? 0,
    per_page: 100,
  });
  const own = comments.filter(
    ({ user, body, pull_request_review_id: review }) =>
      user?.login === ownLogin && review !== runReview && beginsWithMarker(body, 'finding'),
  );
  const earlier = reviews.filter(({ id, body }) => id !== runReview && beginsWithMarker(body, 'review'));
  const bodies = [...own, ...earlier].map(({ body }) => body);
  const marks = bodies.flatMap((body) => readMarkers(body, 'finding'));
  return new Set(marks.flatMap(({ fp }) => (fp === undefined ? [] : [fp])));
}
