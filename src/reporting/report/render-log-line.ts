import type { Outcome } from '../../contract/outcome.ts';
import { oneLine } from '../text/markdown.ts';

/**
 * Renders how a run ended, for the log of its job: the first paragraph of its report as one line
 * without Markdown. The log has no place below it, so the line names the real one. `told` is a
 * message that the log shows anyway, and that is left out. '' if nothing remains.
 */
export function renderLogLine(
  report: string,
  { conclusion, question }: Pick<Outcome, 'conclusion' | 'question'>,
  told = '',
): string {
  if (conclusion === 'waiting' && question !== null)
    return `Waiting for an answer: ${oneLine(question.question)}`;
  const [first = ''] = report.trim().split(/\n\s*\n/u, 1);
  const line = placed(withoutMarkdown(first));
  const said = told === '' ? -1 : line.indexOf(withoutMarkdown(told));
  return said < 0 ? line : line.slice(said + withoutMarkdown(told).length).replace(/^[.\s]+/u, '');
}

/** Names the places that a report shows below its first lines. */
const placed = (line: string): string =>
  line
    .replace(/\bin the patch below\b/u, 'in the patch of the job’s summary')
    .replace(/ is below\./gu, ' is on the thread.');

/** Renders Markdown of one paragraph as a line of text in which links are their text. */
export function withoutLinks(markdown: string): string {
  return oneLine(markdown).replace(/\[([^\]]*)\]\([^()\s]*\)/gu, '$1');
}

/** Renders it without emphasis and code, too. */
function withoutMarkdown(markdown: string): string {
  return withoutLinks(markdown)
    .replaceAll('**', '')
    .replace(/(`+)(.+?)\1/gu, (_, _ticks: string, code: string) => code.trim());
}
