import { expect, test } from 'vitest';
import type { ToolError } from '../../../src/contract/errors.ts';
import { workspaceFinish } from '../../../src/tools/storage/workspace-finish.ts';
import type { ToolContext } from '../../../src/tools/tool.ts';

/** The run's end, or the reason why it continues; `said` is the model's text beside the call. */
async function finish(message: object | undefined, reason: string | undefined, reply: string | null = '') {
  const ended: unknown[] = [];
  const context = {
    state: { ...(message === undefined ? {} : { message }) },
    conversation: reply === null ? null : { recentText: () => reply },
    finish: async (answer: string | null) => void ended.push(answer),
  } as unknown as ToolContext;
  const input = workspaceFinish.input.parse(reason === undefined ? {} : { reason });
  const reported = await workspaceFinish
    .execute(input, context, undefined)
    .catch((error: ToolError) => `${error.kind}: ${error.message.split(':')[0]?.split('.')[0]}`);
  return typeof reported === 'string' ? reported : [reported.content, ...ended];
}
const ends = 'The run ends after this turn.';
const [waited, quiet] = [
  { foreground: true, text: null },
  { foreground: false, text: null },
];

test.each([
  [{ foreground: true, text: 'Hello.' }, undefined, '', [ends, 'Hello.']],
  [{ foreground: false, text: 'Hello.' }, 'a longer reason', 'words', [ends, 'Hello.']],
  [quiet, ' done ', '', [ends, 'done']],
  [quiet, 'done', null, [ends, 'done']],
  // A reason may be one word beside a whole answer.
  [quiet, 'done', 'The whole answer.', [ends, null]],
  [quiet, 'done', 'done', [ends, null]],
  [quiet, 'done!', 'done', [ends, 'done!']],
  [quiet, undefined, 'Words.', [ends, null]],
  [quiet, undefined, '', 'not_ready: This run has no answer yet'],
  [quiet, ' ', null, 'not_ready: This run has no answer yet'],
  [waited, 'done', 'Words.', 'not_ready: A user waits for a message on the thread, and none was published'],
  [undefined, 'done', 'Words.', 'unavailable: A child run ends with its result'],
])('a message %j, a reason %j and the text %j', async (message, reason, replyText, expected) => {
  expect(await finish(message, reason, replyText)).toEqual(expected);
});

test("the gate sees the call's reason", () => {
  const what = (input: object) => workspaceFinish.targets(workspaceFinish.input.parse(input)).what;
  expect([what({}), what({ reason: 'r' })]).toEqual(['the work is done', 'r']);
});
