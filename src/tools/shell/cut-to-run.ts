import type { ToolContext } from '../tool.ts';

/** So much of what is left to a run is kept for its answer: a tenth, and two seconds where there is as much. */
const answerShare = 0.1;
const answerMs = 2_000;

/** How long a command may take of a run with so much left, where that is less than was asked for; else null. In milliseconds. */
export function cutToRun(
  timeoutMs: number,
  { conversation }: Pick<ToolContext, 'conversation'>,
): number | null {
  const left = conversation?.msLeft() ?? null;
  if (left === null) return null;
  const most = Math.max(1, Math.round(left - Math.max(left * answerShare, Math.min(answerMs, left / 2))));
  return most < timeoutMs ? most : null;
}
