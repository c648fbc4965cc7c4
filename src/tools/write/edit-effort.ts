import { ToolError } from '../../contract/errors.ts';

/** Characters that are gone through anew for the edits of one call: ten seconds at worst. */
const mostCharacters = 128 * 1024 * 1024;

/**
 * Counts what the edits of one call cost that change a file once more, as each goes through the whole of its text. The function that comes
 * back is told of each before it is made. Throws `ToolError('too_large')` once they come to more than `most` characters.
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
