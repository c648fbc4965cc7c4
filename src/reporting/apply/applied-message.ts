import type { RunPlan } from '../../contract/plan.ts';
import type { PostedSuggestion } from '../../contract/review-record.ts';
import { type CommitMessage, trailersOf } from '../changes/commit-message.ts';
import type { CommitStyle } from '../changes/commit-style.ts';
import { styleHeadline } from '../changes/style-headline.ts';
import { countOf } from '../text/markdown.ts';

/** The message of the commit that applies a run's suggestions, in the repository's style; whoever asked is its co-author. */
export function appliedMessage(
  applied: readonly PostedSuggestion[],
  plan: RunPlan,
  { style, coAuthor }: { readonly style: CommitStyle; readonly coAuthor: boolean },
): CommitMessage {
  const files = [...new Set(applied.map(({ path }) => path))];
  const branch = plan.push.kind === 'none' ? '' : plan.push.branch;
  const headline = {
    words: `Apply ${countOf(applied.length, 'suggested change')}`,
    ...{ files, implements: false, sources: [plan.thread?.title ?? '', branch] },
  };
  return { headline: styleHeadline(headline, style), body: trailersOf(plan, coAuthor).join('\n') };
}
