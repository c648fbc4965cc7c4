import * as z from 'zod';
import { ToolError } from '../../contract/errors.ts';
import { unlessNull } from '../input/lenient.ts';
import { defineTool } from '../tool.ts';

const input = z.object({ reason: unlessNull(z.string()) });

/** Ends the run successfully. On a thread, a message must have been published before. */
export const workspaceFinish = defineTool({
  name: 'workspace.finish',
  description: 'End this run. On a thread, publish a message with workspace_commit before.',
  exposure: 'deferred',
  input,
  level: 'state_write',
  ownState: true,
  targets: (args) => ({ what: args.reason ?? 'the work is done' }),
  async execute(args, { state, conversation, finish }) {
    const { message } = state;
    if (message === undefined) {
      throw new ToolError(
        'unavailable',
        'A child run ends with its result: give it back as your answer, without a call.',
      );
    }
    if (message.foreground && message.text === null) {
      throw new ToolError(
        'not_ready',
        'A user waits for a message on the thread, and none was published. Write it to output/main.md with workspace_write_file, publish it with workspace_commit, then finish.',
      );
    }
    // Text before the last results was about future steps.
    const said = conversation?.recentText() ?? '';
    const reason = args.reason?.trim() ?? '';
    if (message.text === null && reason === '' && said === '') {
      throw new ToolError(
        'not_ready',
        'This run has no answer yet: there is no text since the last results, and nothing was published. Give the answer as reason, or write it beside this call, then finish.',
      );
    }
    // A reason may be one word beside a whole answer.
    await finish(message.text ?? (reason.length > said.length ? reason : null));
    return { content: 'The run ends after this turn.' };
  },
});
