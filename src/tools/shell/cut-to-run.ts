import type { ToolContext } from '../tool.ts';

/** Reserve of the remaining time for the answer: a tenth, but at least two seconds if possible. */
const answerShare = 0.1;
const answerMs = 2_000;

/** Returns a shorter timeout in milliseconds if the run has less time left; else null. */
export function cutToRun(
  timeoutMs: number,
  { conversation }: Pick<ToolContext, 'conversation'>,
): number | null {
  const left = conversation?.msLeft() ?? null;
  if (left === null) return null;
  const most = Math.max(1, Math.round(left - Math.max(left * answerShare, Math.min(answerMs, left / 2))));
  return most < timeoutMs ? most : null;
}
