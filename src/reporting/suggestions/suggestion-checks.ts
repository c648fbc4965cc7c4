import { createHash } from 'node:crypto';
import type { SuggestionCheck } from '../../contract/suggestion-check.ts';
import { codeSpan, cutText, oneLine } from '../text/markdown.ts';
import { publicText } from '../text/public-text.ts';
import type { Suggestion } from './suggestions.ts';

/** What a suggested change is known by from the run that tried it to the comment that offers it. */
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

/** What came of trying a suggested change; null where it was not tried. */
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

/** True where a suggested change broke what it was tried with: then it is told, and not offered. */
export function breaksCheck(suggestion: Suggestion, checks: readonly SuggestionCheck[]): boolean {
  return checkOf(suggestion, checks)?.result === 'failed';
}

/** The line below a suggested change that says what came of it; '' where there is nothing to say. */
export function renderSuggestionCheck(check: SuggestionCheck | null): string {
  if (check === null || check.said === '') return '';
  const mark = check.result === 'not_run' ? 'Not tried:' : 'Tried:';
  const command = check.command === undefined ? [] : [codeSpan(check.command)];
  const quote = check.quote === undefined ? [] : [codeSpan(cutText(oneLine(check.quote), 300, '…'))];
  const said = cutText(publicText(oneLine(check.said)), 400, '…');
  return [mark, ...command, said, ...quote].join(' ');
}
