import { ToolError } from '../../contract/errors.ts';

/** Maximum characters processed again for the edits of one call: ten seconds at worst. */
const mostCharacters = 128 * 1024 * 1024;

/**
 * Limits the cost of repeated edits to a file in one call, as each reads its whole text. The
 * returned function is called before each. Throws `ToolError('too_large')` beyond `most`
 * characters.
 */
export function editEffort(most = mostCharacters): (path: string, characters: number) => void {
  let left = most;
  let made = 0;
  return (path, characters) => {
    left -= characters;
    made += 1;
    if (left >= 0) return;
    throw new ToolError(
      'too_large',
      `The edits of one call may change files as large as ${path} ${made} times at most. Nothing was changed. Make them in several calls, or change the file with a command.`,
    );
  };
}
