import { expect, test } from 'vitest';
import { continueSession } from '../../src/agent/saved-session.ts';
import type { Message } from '../../src/contract/message.ts';
import type { SavedSession } from '../../src/contract/session.ts';

const session = (messages: Message[]): SavedSession => ({
  version: 1,
  run_id: 'run_1',
  session_id: 'sess_1',
  plan: null,
  messages,
  question: null,
  stopped: 'The run used its 3 turns before it was done.',
  todos: [],
  approvals: [],
  findings: [],
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
  turns: 3,
  patch: '',
  base_sha: null,
  profile: 'craft',
  model: 'm',
  preset: 'careful',
  saved_at: '2026-01-02T03:04:05.000Z',
});
const task: Message = { role: 'user', parts: [{ type: 'text', text: 'Do it.' }] };
const reply: Message = { role: 'assistant', parts: [{ type: 'text', text: 'I did half.' }] };
const calls: Message = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'c1', name: 'read', input: { path: 'a' } }],
};
const word = expect.stringMatching(
  /^The run was stopped: The run used its 3 turns before it was done\. It goes on now, with limits of its own\./,
);

test('a session continues after the last message, whoever wrote it', () => {
  expect(continueSession(session([task, reply]), '', null)).toEqual([
    task,
    reply,
    { role: 'user', parts: [{ type: 'text', text: word }] },
  ]);
  expect(continueSession(session([task]), 'and hurry', 'The branch moved.')).toEqual([
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Do it.' },
        {
          type: 'text',
          text: expect.stringMatching(/The requester adds:\nand hurry\n\nThe branch moved\.$/),
        },
      ],
    },
  ]);
});

test('calls without a result get one that prevents their repetition', () => {
  expect(continueSession(session([task, calls]), '', null).at(-1)).toEqual({
    role: 'user',
    parts: [
      {
        type: 'tool_result',
        call_id: 'c1',
        content: [
          { type: 'text', text: expect.stringMatching(/^No result: .* look before you do it again\.$/) },
        ],
        is_error: true,
      },
      { type: 'text', text: word },
    ],
  });
});
