import type { Config } from '../../config/schema.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { cutText, oneLine } from '../text/markdown.ts';
import { matchPaths } from './reportable-findings.ts';

/** The information for a reviewer besides the request and the diff. */
export interface ReviewNotes {
  readonly settings: NonNullable<Config['review']>;
  /** The files shown. */
  readonly paths: readonly string[];
  /** The commit reviewed last, if only newer changes are shown, and the files omitted for that. */
  readonly since: string | null;
  readonly leftOut: readonly string[];
  /** Headlines of its commits, newest first. */
  readonly commits: readonly string[];
  /** Reported before and unchanged, or dismissed. */
  readonly silent: readonly PreviousFinding[];
  /** Told before, and the lines changed since. */
  readonly asked: readonly PreviousFinding[];
}

/**
 * Renders the request of a review with its context. Texts of earlier findings are untrusted
 * material.
 */
export function renderReviewRequest(request: string, notes: ReviewNotes): string {
  const { settings, since, leftOut, commits } = notes;
  const parts = [
    request,
    commits.length === 0
      ? ''
      : `Its commits, newest first, in the words of their authors:\n<commits>\n${commits.map((words) => `- ${short(words, 200)}`).join('\n')}\n</commits>`,
    ...instructionsFor(notes),
    settings.language === undefined
      ? ''
      : `Write titles and bodies of findings, and your last message, in ${settings.language}.`,
    settings.minSeverity === undefined || settings.minSeverity === 'info'
      ? ''
      : `Report nothing below the severity ${settings.minSeverity}.`,
    since === null
      ? ''
      : `The pull request was reviewed up to ${since.slice(0, 12)}. Below is only what is new since then, with the lines around; review that.${
          leftOut.length === 0 ? '' : ` Changed as well, but reviewed already: ${listed(leftOut)}.`
        }`,
    earlier('Told before and still open, or let go by a person. Do not report these again:', notes.silent),
    earlier(
      'Told before, but the lines changed since. Look at each: where it still holds, report it again with its category and title as they stand here; one that you leave out counts as fixed:',
      notes.asked,
    ),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function instructionsFor({ settings, paths }: ReviewNotes): string[] {
  return (settings.instructions ?? []).flatMap(({ paths: globs, text }) => {
    const fits = matchPaths([globs].flat());
    const files = paths.filter((path) => fits(path));
    return files.length === 0 ? [] : [`For ${listed(files)}:\n${text.trim()}`];
  });
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 50).map((path) => oneLine(path));
  return paths.length > shown.length
    ? `${shown.join(', ')} and ${paths.length - shown.length} more`
    : shown.join(', ');
}

/** Words of others on one line, which close no tag and hide nothing. */
function short(text: string, length: number): string {
  return cutText(oneLine(stripInvisible(text).text.replace(/[<>]/gu, ' ')), length, '…');
}

function earlier(title: string, findings: readonly PreviousFinding[]): string {
  if (findings.length === 0) return '';
  const lines = findings.map(({ path, line, severity, category, title: words }) => {
    return `- ${short(path, 200)}:${line} [${severity}] ${short(category, 60)}: ${short(words, 200)}`;
  });
  return `${title}\n<earlier_findings>\n${lines.join('\n')}\n</earlier_findings>`;
}
