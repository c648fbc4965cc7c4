import type { RunPlan } from '../../contract/plan.ts';
import { pullOf } from '../../github/api-target.ts';
import { readGitHubHunkMap } from '../diff/hunk-map.ts';
import { fingerprintSuggestion } from '../findings/fingerprint.ts';
import type { OwnPosts, OwnReviewComment } from '../findings/own-posts.ts';
import { readApiRefusal } from '../posting/api-failure.ts';
import type { PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import type { Suggestion } from '../suggestions/suggestions.ts';
import { readMarker } from '../text/marker.ts';
import { type MadeReview, makeReview, type ReviewMaterial, suggestionBlock } from './make-review.ts';

/** A review as it is on GitHub, with the number of its comments on lines. */
export interface PostedReview {
  readonly id: number;
  readonly url: string;
  readonly comments: number;
}

export interface ReviewPosting {
  readonly posted: PostedReview | null;
  readonly made: MadeReview;
  /** True if all suggestible changes of the run are on lines. */
  readonly suggested: boolean;
  /** A sentence about omissions; null if GitHub took all. */
  readonly note: string | null;
}

type Ports = Pick<PublishPorts, 'octokit' | 'ownLogin' | 'log' | 'store' | 'wait'>;

/** GitHub states no limit on the comments of one review, but answers very many with an error. */
const fewComments = 30;

/**
 * Posts a run's review in one request, or finds the one it posted before. GitHub refuses a review
 * as a whole, without naming the comment. A refused review is retried: with GitHub's own diff, then
 * with fewer comments. The summary lists findings without a line. Throws if GitHub is down.
 */
export async function postReview(
  material: ReviewMaterial,
  posts: OwnPosts,
  ports: Ports,
): Promise<ReviewPosting> {
  const { plan } = material;
  const existing = posts.reviews.find(({ run }) => run === plan.run_id);
  const earlier = posts.comments.filter(({ reviewId }) => reviewId !== existing?.id);
  const suggestions = material.suggestions.filter((one) => !earlier.some((other) => offers(other, one)));
  const wanted = { ...material, suggestions };
  const made = makeReview(wanted);
  if (made.review === null) return { posted: null, made, suggested: true, note: null };
  if (existing !== undefined) {
    const posted = posts.comments.filter(({ reviewId }) => reviewId === existing.id);
    return {
      ...postedPart(made, suggestions, new Set(posted.map(({ fp }) => fp))),
      posted: { id: existing.id, url: existing.url, comments: posted.length },
    };
  }
  return postWeaker(wanted, made, ports);
}

/** True if our comment offers a suggestion, as a change of its own or for a finding. */
function offers({ fp, path, side, line, body }: OwnReviewComment, suggestion: Suggestion): boolean {
  if (fp === fingerprintSuggestion(suggestion)) return true;
  const isHere = path === suggestion.path && side === 'RIGHT' && line === suggestion.lastLine;
  return isHere && body.includes(suggestionBlock(suggestion));
}

/** Posts a review, and a weaker one each time that GitHub refuses it. */
async function postWeaker(wanted: ReviewMaterial, made: MadeReview, ports: Ports): Promise<ReviewPosting> {
  const { plan, suggestions } = wanted;
  for (const [index, weaken] of weaker.entries()) {
    const next = await weaken(wanted, ports);
    const attempt = index === 0 ? made : makeReview(next);
    const suggested = next.suggestions.length === suggestions.length;
    const nothing = suggested ? refusedWhole : refusedSuggestions;
    if (attempt.review === null) return { posted: null, made: attempt, suggested, note: nothing };
    const posted = await tryPost(attempt.review, plan, index, ports);
    if (posted !== 'refused') return { posted, made: attempt, suggested, note: index < 2 ? null : refused };
  }
  const note = suggestions.length === 0 ? refusedWhole : refusedSuggestions;
  return { posted: null, made: nothingMade, suggested: suggestions.length === 0, note };
}

/** Throws what is no answer to the content. A server error may be one, except for the last step. */
async function tryPost(
  review: NonNullable<MadeReview['review']>,
  plan: RunPlan,
  step: number,
  ports: Ports,
): Promise<PostedReview | 'refused'> {
  try {
    return await post(review, plan, step, ports);
  } catch (error) {
    const { status, message } = readApiRefusal(error);
    const isLast = step === weaker.length - 1;
    if (!refusesContent(status) || (isLast && status !== 422)) throw error;
    ports.log.warn({ run: plan.run_id, status, message }, 'review refused');
    return 'refused';
  }
}

/** GitHub also answers very many comments with a server error. */
const refusesContent = (status: number): boolean => status === 422 || status >= 500;

const nothingMade: MadeReview = { review: null, offered: [], onLines: [] };

const refused = 'GitHub did not take the review as it was, so fewer findings are on lines.';

const refusedWhole = 'GitHub took no review of this run.';
const refusedSuggestions = `${refusedWhole} What it would have suggested is here as a patch.`;

/**
 * Returns the posted part of a review, by the ids of its comments. An earlier attempt may have
 * posted less than all.
 */
function postedPart(
  made: MadeReview,
  suggestions: ReviewMaterial['suggestions'],
  postedIds: ReadonlySet<string>,
): Omit<ReviewPosting, 'posted'> {
  const wanted = new Set(made.offered.map(({ id }) => id));
  const suggested = suggestions
    .map(fingerprintSuggestion)
    .every((id) => postedIds.has(id) || !wanted.has(id));
  const offered = made.offered.filter(({ id }) => postedIds.has(id));
  const onLines = made.onLines.filter((id) => postedIds.has(id));
  return { made: { ...made, offered, onLines }, suggested, note: null };
}

type Weaken = (material: ReviewMaterial, ports: Ports) => Promise<ReviewMaterial>;

/** Steps from the full review to one that GitHub should accept. */
const weaker: readonly Weaken[] = [
  async (material) => material,
  async (material, { octokit }) => ({ ...material, map: await readGitHubHunkMap(material.plan, octokit) }),
  async (material, { octokit }) => ({
    ...material,
    map: await readGitHubHunkMap(material.plan, octokit),
    suggestions: [],
    event: 'COMMENT',
    verdictIsNews: false,
    budget: Math.min(material.budget, fewComments),
  }),
];

async function post(
  review: NonNullable<MadeReview['review']>,
  plan: RunPlan,
  step: number,
  ports: Ports,
): Promise<PostedReview> {
  const { octokit, ownLogin } = ports;
  const target = pullOf(plan);
  const { id, url } = await postOnce(
    async () => {
      const all = await octokit.paginate(octokit.rest.pulls.listReviews, { ...target, per_page: 100 });
      const posted = all.find(
        ({ user, body }) => user?.login === ownLogin && readMarker(body, 'review')?.run === plan.run_id,
      );
      return posted === undefined ? null : { id: posted.id, url: posted.html_url };
    },
    async () => {
      const { data } = await octokit.rest.pulls.createReview({
        ...target,
        // A commit that was pushed away is refused, too: its lines are elsewhere now.
        commit_id: plan.checkout.sha,
        event: review.event,
        body: review.body,
        comments: review.comments.map((comment) => ({ ...comment })),
        request: withoutRetries,
      });
      return { id: data.id, url: data.html_url };
    },
    claimsOn(`review-${step}`, plan, ports),
  );
  return { id, url, comments: review.comments.length };
}
