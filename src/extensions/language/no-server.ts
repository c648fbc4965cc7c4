import { ToolError } from '../../contract/errors.ts';
import type { LanguageRun } from './language-run.ts';
import { languageOf } from './server-entry.ts';

/** One that ended too often. */
export function gone(name: string, why: string): ToolError {
  return new ToolError(
    'unavailable',
    `The language server ${name} is not there any more: it ${why.replace(/\.+$/, '')}. It is not started again in this run; use code_search and grep.`,
  );
}

/** Why a file has no server: none reads it, or none is installed, or may run. */
export function noServer(
  file: string,
  { entries, places }: Pick<LanguageRun, 'entries' | 'places'>,
): ToolError {
  const named = entries.filter((entry) => languageOf(file, entry) !== null);
  if (named.length === 0)
    return new ToolError('invalid_input', `No language server reads ${file}. Use code_search and grep.`);
  const names = named.map(({ name }) => name).join(', ');
  const held = !places.checkout && named.some(({ runsCheckout }) => runsCheckout);
  return new ToolError(
    'unavailable',
    `No language server for ${file} is there: ${names} ${named.length === 1 ? 'is' : 'are'} not installed${held ? ', or may not run here, as code of the checkout could have it run programs' : ''}. Use code_search and grep.`,
  );
}
