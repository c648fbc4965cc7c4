import { ToolError } from '../../contract/errors.ts';

/** Throws `ToolError('invalid_input')` for any source other than our own. */
export function localOnly(source: string): void {
  if (source.trim().toLowerCase() === 'local') return;
  throw new ToolError(
    'invalid_input',
    `There is no source "${source}". Leave it out: "local" has all earlier runs on this repository.`,
  );
}
