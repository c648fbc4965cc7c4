import type { Config } from '../../config/schema.ts';
import type { PreviousFinding } from '../../contract/review-record.ts';
import { stripInvisible } from '../../untrusted-text/invisible.ts';
import { cutText, oneLine } from '../text/markdown.ts';
import { matchPaths } from './reportable-findings.ts';

/** The information for a reviewer besides the request and the diff. */
export interface ReviewContext {
  readonly settings: NonNullable<Config['review']>;
  /** The files in the task. */
  readonly paths: readonly string[];
  /** The commit reviewed last, if only newer changes are shown, and the files omitted for that. */
  readonly since: string | null;
  /** The overview of the pull request so far; null for none. */
  readonly overview: string | null;
  /** Titles of the parts of the walkthrough so far. Default: none. */
  readonly parts?: readonly string[];
  readonly omitted: readonly string[];
  /** Headlines of its commits, newest first. */
  readonly commits: readonly string[];
  /** Reported before and unchanged, or dismissed. */
  readonly suppressed: readonly PreviousFinding[];
  /** Reported before, and code at or near their lines changed since. */
  readonly requested: readonly PreviousFinding[];
}

/**
 * Renders the request of a review with its context. Texts of earlier findings are untrusted
 * material.
 */
export function renderReviewRequest(request: string, context: ReviewContext): string {
  const { language, minSeverity = 'info' } = context.settings;
  const parts = [
    request,
    commitsNote(context),
    ...instructionsFor(context),
    language === undefined
      ? ''
      : `Write titles and bodies of findings, and your last message, in ${language}.`,
    minSeverity === 'info' ? '' : `Report nothing below the severity ${minSeverity}.`,
    sinceNote(context),
    overviewNote(context),
    earlier(
      `Reported before and still open, or dismissed by a person. Do not report these again${context.suppressed.some(canBeClosed) ? closingHint : ''}:`,
      context.suppressed,
    ),
    earlier(
      'Reported before, and code at or near their lines, or a test, changed since. Check each: if it still holds, report it again with the category and title given here; one that you omit counts as fixed:',
      context.requested,
    ),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function commitsNote({ commits }: ReviewContext): string {
  if (commits.length === 0) return '';
  const lines = commits.map((text) => `- ${short(text, 200)}`).join('\n');
  return `Its commits, newest first, as their authors wrote them:\n<commits>\n${lines}\n</commits>`;
}

function sinceNote({ since, omitted }: ReviewContext): string {
  if (since === null) return '';
  const note = `The pull request was reviewed up to ${since.slice(0, 12)}. Below are only the parts that changed since then. A * behind a line number marks a new line; a part without one lost lines, or belongs to an earlier finding. Review what is new.`;
  return omitted.length === 0 ? note : `${note} Changed as well, but reviewed already: ${listed(omitted)}.`;
}

function overviewNote({ overview, parts = [] }: ReviewContext): string {
  if (overview === null) return '';
  const note = `State the overview of the walkthrough for the whole pull request. So far it is:\n<overview>\n${short(overview, 1_200)}\n</overview>`;
  const titles = parts.map((title) => short(title, 80)).join('; ');
  return parts.length === 0
    ? note
    : `${note}\nIts parts so far: ${titles}. Give a part that is among them the same title.`;
}

const closingHint =
  '. If the new changes mended an open one elsewhere, as in its caller, close it by its id: add closed: [{id, reason}] to report_findings';

/** True for an open finding of a model. A check decides about its own findings. */
const canBeClosed = ({ state, check }: Pick<PreviousFinding, 'state' | 'check'>): boolean =>
  state === 'open' && check === null;

function instructionsFor({ settings, paths }: ReviewContext): string[] {
  return (settings.instructions ?? []).flatMap(({ paths: globs, text }) => {
    const fits = matchPaths([globs].flat());
    const files = paths.filter((path) => fits(path));
    return files.length === 0 ? [] : [`For ${listed(files)}:\n${text.trim()}`];
  });
}

function listed(paths: readonly string[]): string {
  const names = paths.slice(0, 50).map((path) => oneLine(path));
  return paths.length > names.length
    ? `${names.join(', ')} and ${paths.length - names.length} more`
    : names.join(', ');
}

/** Other authors' text on one line, which closes no tag and hides nothing. */
function short(text: string, length: number): string {
  return cutText(oneLine(stripInvisible(text).text.replace(/[<>]/gu, ' ')), length, '…');
}

function dismissal({
  state,
  dismissed_by: by,
  dismissed_reason: reason,
}: Pick<PreviousFinding, 'state' | 'dismissed_by' | 'dismissed_reason'>): string {
  if (state !== 'dismissed' || by === null) return '';
  return ` (dismissed by ${short(by, 60)}${reason ? `: ${short(reason, 300)}` : ''})`;
}

function earlier(title: string, findings: readonly PreviousFinding[]): string {
  if (findings.length === 0) return '';
  const lines = findings.map(({ id, path, line, severity, category, title: text, ...rest }) => {
    const name = canBeClosed(rest) ? `${short(id, 40)} ` : '';
    const found = `- ${name}${short(path, 200)}:${line} [${severity}] ${short(category, 60)}: ${short(text, 200)}`;
    return `${found}${dismissal(rest)}`;
  });
  return `${title}\n<earlier_findings>\n${lines.join('\n')}\n</earlier_findings>`;
}
