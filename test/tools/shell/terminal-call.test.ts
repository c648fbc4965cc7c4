import { expect, test } from 'vitest';
import type { Json } from '../../../src/contract/json.ts';
import { terminalCall } from '../../../src/tools/shell/terminal-call.ts';

test.each<[string, string, Json, ReturnType<typeof terminalCall>]>([
  [
    'bash',
    'exec_command',
    { cmd: 'a', tty: true },
    { tool: 'shell_session', input: { cmd: 'a', action: 'open' } },
  ],
  ['bash', 'exec_command', { cmd: 'a', tty: false }, null],
  ['bash', 'exec_command', { cmd: 'a', tty: 'true' }, null],
  ['bash', 'bash', { tty: true }, null],
  [
    'shell_session',
    'write_stdin',
    { id: 1, chars: '' },
    { tool: 'shell_session', input: { id: 1, action: 'poll' } },
  ],
  ['shell_session', 'write_stdin', { id: 1 }, { tool: 'shell_session', input: { id: 1, action: 'poll' } }],
  ['shell_session', 'write_stdin', { chars: null }, { tool: 'shell_session', input: { action: 'poll' } }],
  ['shell_session', 'write_stdin', { chars: 'a' }, null],
  ['shell_session', 'send', {}, null],
  ['bash', 'bash', { cmd: 'a', timeout: 2.0001 }, { tool: 'bash', input: { cmd: 'a', timeout_ms: 2001 } }],
  ['bash', 'bash', { timeout: '999' }, { tool: 'bash', input: { timeout_ms: 999_000 } }],
  ['bash', 'bash', { timeout: 1_000 }, null],
  ['bash', 'bash', { timeout: 0 }, null],
  ['bash', 'bash', { timeout: null }, null],
  ['bash', 'bash', { timeout: 'soon' }, null],
  ['bash', 'bash', {}, null],
  ['bash', 'bash', { timeout: 2, timeout_ms: 9 }, null],
  ['shell_session', 'open', { timeout: 2 }, null],
  ['bash', 'bash', null, null],
  ['bash', 'exec_command', ['tty'], null],
  ['bash', 'bash', 'ls', null],
])('a call of %s as %s with %j becomes %j', (tool, name, input, intended) => {
  expect(terminalCall(tool, name, input)).toEqual(intended);
});
