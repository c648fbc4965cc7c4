import { ToolError } from '../contract/errors.ts';
import type { ShellSessions } from '../tools/shell/sessions/sessions.ts';

const reason =
  'A call by hand ends with all that it has started, so no program can be left running. Run the command to its end (bash without run_in_background), or start it in a terminal of your own.';

/** Shell sessions of a manual call: none, since no one could type into one afterwards. */
export const noSessions: ShellSessions = {
  open: () => Promise.reject(new ToolError('unavailable', reason)),
  find() {
    throw new ToolError('unavailable', reason);
  },
  list: () => [],
  close: () => Promise.resolve(null),
};
