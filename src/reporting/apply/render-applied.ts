import type { LeftSuggestion } from '../../contract/review-record.ts';
import { codeSpan, countOf, cutText, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import type { Applied } from './apply-suggestions.ts';

const mostLeft = 20;

/** What came of applying a run's suggestions, in words for the comment with its controls. */
export function renderApplied(applied: Applied, by: string): string {
  if (applied.kind === 'refused') return `**Nothing was applied.** ${refusal(applied.reason)}`;
  if (applied.kind === 'nothing') {
    const words = applied.left.length === 0 ? ' No suggestion of this run is open any more.' : '';
    return `**Nothing was applied.**${words}${leftOut(applied.left)}`;
  }
  const { sha, url } = applied.commit;
  const what = countOf(applied.count, 'suggestion');
  return `**Applied ${what}** in [${codeSpan(sha.slice(0, 7))}](${url}), as ${by} asked.${leftOut(applied.left)}`;
}

/** It may quote GitHub, git or the name of a branch. */
const refusal = (reason: string): string => publicCut(oneLine(reason), 400, '…');

function leftOut(left: readonly LeftSuggestion[]): string {
  if (left.length === 0) return '';
  // With another sign than the boxes that may follow, which would else be items of this list.
  const lines = left
    .slice(0, mostLeft)
    .map(({ path, line, why }) => `* ${codeSpan(cutText(`${path}:${line}`, 200, '…'))}: ${refusal(why)}`);
  const rest = left.length - lines.length;
  if (rest > 0) lines.push(`* … and ${rest} more`);
  return `\n\nLeft out:\n\n${lines.join('\n')}`;
}
