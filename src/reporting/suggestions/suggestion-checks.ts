import { createHash } from 'node:crypto';
import type { SuggestionCheck } from '../../contract/findings.ts';
import { codeSpan, cutText, oneLine } from '../text/markdown.ts';
import { publicCut } from '../text/public-text.ts';
import type { Suggestion } from './suggestions.ts';

/** Returns the key of a suggested change, from its trial to its comment. */
export function nameSuggestion({
  path,
  firstLine,
  lastLine,
  after,
}: Pick<Suggestion, 'path' | 'firstLine' | 'lastLine' | 'after'>): Pick<
  SuggestionCheck,
  'path' | 'first_line' | 'last_line' | 'digest'
> {
  const digest = createHash('sha256').update(JSON.stringify(after)).digest('hex').slice(0, 16);
  return { path, first_line: firstLine, last_line: lastLine, digest };
}

/** Returns the result of trying a suggested change; null if it was not tried. */
export function checkOf(suggestion: Suggestion, checks: readonly SuggestionCheck[]): SuggestionCheck | null {
  const name = nameSuggestion(suggestion);
  const found = checks.find(
    ({ path, first_line, last_line, digest }) =>
      path === name.path &&
      first_line === name.first_line &&
      last_line === name.last_line &&
      digest === name.digest,
  );
  return found ?? null;
}

/** True if a suggested change failed its trial: it is not displayed or offered. */
export function breaksCheck(suggestion: Suggestion, checks: readonly SuggestionCheck[]): boolean {
  return checkOf(suggestion, checks)?.result === 'failed';
}

/** Renders the result of a trial below a suggested change; '' if there is none. */
export function renderSuggestionCheck(check: SuggestionCheck | null): string {
  if (check === null || check.said === '') return '';
  const mark = check.result === 'not_run' ? 'Not tried:' : 'Tried:';
  const quote = check.quote === undefined ? [] : [codeSpan(cutText(oneLine(check.quote), 300, '…'))];
  return [mark, ...outputOf(check), ...quote].join(' ');
}

/** The line that replaces a suggested change which failed its check; '' for any other. */
export function renderOmitted(check: SuggestionCheck | null): string {
  if (check?.result !== 'failed') return '';
  return ['A suggested change was tried and left out.', ...outputOf(check)].join(' ');
}

function outputOf({ command, said: text }: SuggestionCheck): string[] {
  const output = publicCut(oneLine(text), 400, '…');
  return [...(command === undefined ? [] : [codeSpan(command)]), ...(output === '' ? [] : [output])];
}
