import type { Finding } from '../../contract/findings.ts';
import type { ReviewCheck } from '../services/review-services.ts';

/** The facts that all reviewers of a change are given. */
export interface ReviewedChange {
  readonly description: string;
  readonly files: readonly string[];
  readonly instructions: string | null;
  /** `changes-only`, `all`, or free text; null for none. */
  readonly scope: string | null;
}

/** Maximum findings listed for a reviewer; of the others it gets the number. */
const mostTold = 50;

/** Builds the prompt for the reviewer of the whole change. `found`: findings without a model. */
export function reviewPrompt(change: ReviewedChange, found: readonly Finding[]): string {
  return [...about(change), ...alreadyFound(found), ending].join('\n\n');
}

/** Builds the prompt for the reviewer of one check. */
export function checkPrompt(change: ReviewedChange, check: ReviewCheck): string {
  const severity =
    check.severity === null
      ? ''
      : `\n\nSeverity of what you find, unless it clearly differs: ${check.severity}.`;
  return [
    `Carry out one check on a change, and report nothing else.\n\n# Check: ${check.name}\n${check.instructions}${severity}`,
    ...about(change),
    ending,
  ].join('\n\n');
}

const ending = 'State what you find with report_findings, then answer with a short summary.';

function about({ description, files, scope, instructions }: ReviewedChange): string[] {
  return [
    `The change:\n${description}`,
    ...(files.length === 0 ? [] : [`Files to look at first: ${files.join(', ')}`]),
    ...(scope === null ? [] : [scopeText(scope)]),
    ...(instructions === null ? [] : [instructions]),
  ];
}

function scopeText(scope: string): string {
  if (/^changes?[-_ ]only$/i.test(scope)) return 'Report only what the change itself brings in.';
  if (/^all$/i.test(scope))
    return 'Look at the changed files as a whole, and at what depends on them: also report what was wrong there before, and say that it was.';
  return `Scope: ${scope}`;
}

function alreadyFound(found: readonly Finding[]): string[] {
  if (found.length === 0) return [];
  const lines = found
    .slice(0, mostTold)
    .map(({ path, line, title }) => `- ${JSON.stringify(path)}:${line} ${title.replaceAll(/\s+/g, ' ')}`);
  const more = found.length > mostTold ? [`- and ${found.length - mostTold} more`] : [];
  return [`Found already, do not report it again:\n${[...lines, ...more].join('\n')}`];
}
