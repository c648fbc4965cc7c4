import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { ReviewedScope } from '../review/published-review.ts';
import { codeSpan, cutMarkdown, foldedSection, listed } from '../text/markdown.ts';
import type { ReportContext } from './published.ts';
import { renderUnfinished } from './render-conclusion.ts';
import { foundNothing, renderAnswer, renderPatch, renderRunNotes } from './render-report.ts';
import { unsaidPart } from './unsaid-part.ts';

/** Maximum characters of the stored parts of a summary. */
const longest = { news: 8_000, notes: 24_000, answer: 4_000, unsaid: 800 } as const;

interface NewsContext extends ReportContext {
  /** Reviewed files and commits. Default: the review did not come that far. */
  readonly scope: ReviewedScope | undefined;
  /** True if a reply to the request has the answer and what failed. */
  readonly hasReply: boolean;
}

/**
 * Renders the summary of a review besides its findings: how it ended, what is new since the last
 * one, and what it did not do.
 */
export function renderNews(
  outcome: Outcome,
  context: NewsContext,
): { readonly news: string; readonly notes: string } {
  const { plan, hasReply } = context;
  const isTold = outcome.walkthrough !== undefined || foundNothing(outcome, context);
  const rest = isTold
    ? renderAnswer(unsaidPart(outcome), plan, longest.unsaid)
    : renderAnswer(outcome.answer, plan, longest.answer);
  const answer = hasReply ? '' : rest;
  const news = [renderUnfinished(outcome, context), renderSince(context), answer];
  const notes = [
    renderIgnored(context.scope),
    ...(hasReply ? [] : renderRunNotes(outcome, { ...context, findings: [] })),
  ];
  const used = notes.join('\n\n').length;
  const patch = hasReply ? '' : renderPatch(context.published.patch, longest.notes - used - 100);
  return {
    news: cutMarkdown(joined(news), longest.news - 200, '\n\n[cut]'),
    notes: cutMarkdown(joined([...notes, patch]), longest.notes, '\n\n[cut]'),
  };
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Renders what a later review found: ``Since [`abc1234`](…): 1 new, 1 fixed.`` */
function renderSince({ plan, scope, published, tally = '' }: NewsContext): string {
  const since = scope?.since ?? null;
  // A head that was reviewed before has nothing since.
  if (since === null || since === plan.checkout.sha) return '';
  const link = `[${codeSpan(since.slice(0, 7))}](${compareUrl(since, plan)})`;
  const fresh = published.told?.filter(({ state }) => state === 'new').length ?? 0;
  // Without any finding from before there is no tally.
  const news = fresh === 0 ? 'nothing new' : `${fresh} new`;
  return `Since ${link}: ${tally === '' ? news : tally}.`;
}

const compareUrl = (since: string, { repository, checkout }: RunPlan): string =>
  `${repository.clone_url.replace(/\.git$/u, '')}/compare/${since}...${checkout.sha}`;

function renderIgnored(scope: ReviewedScope | undefined): string {
  const files = scope?.ignored ?? [];
  if (files.length === 0) return '';
  const why = 'The configuration leaves them out (`review.paths`, `review.ignore`):';
  return foldedSection(`Not looked at: ${files.length}`, `${why} ${listed(files, 2_000)}`);
}
