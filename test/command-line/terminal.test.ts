import { execFile } from 'node:child_process';
import path from 'node:path';

import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliProgram } from '../support/program-files.ts';
import { call } from '../uses/support/conversation.ts';
import { projectRoot } from '../uses/support/run-program.ts';
import { type Local, localKey, startLocal } from '../uses/support/start-local.ts';

let local: Local;
beforeAll(async () => {
  local = await startLocal();
});
afterAll(() => local.close());

/** `anode run` on a terminal of 60 columns: all that is seen there. */
async function onTerminal(folder: string, task: string, more: Readonly<Record<string, string>>) {
  const program = `"${process.execPath}" "${path.join(projectRoot, cliProgram)}"`;
  const { stdout } = await promisify(execFile)(
    'script',
    ['-qec', `stty cols 60; ${program} run --prompt "${task}"`, '/dev/null'],
    {
      cwd: folder,
      env: {
        ...{ PATH: process.env.PATH, TERM: 'xterm', HOME: local.home },
        ...{ ANTHROPIC_BASE_URL: local.model.url, ANTHROPIC_API_KEY: localKey, ...more },
      },
    },
  );
  return stdout.replaceAll('\r\n', '\n');
}

test('a terminal displays text, calls and the list, without colours on request', async () => {
  const steps = (first: string, second: string) =>
    call('todo_write', {
      todos: [
        { id: '1', content: 'Look at the file', status: first },
        { id: '2', content: 'Paint it blue in each of the places where it is red today', status: second },
      ],
    });
  local.learn('paint it', (turn) => {
    if (turn === 1)
      return {
        text: 'I look at the file first, because what it says decides on the rest.',
        calls: [steps('completed', 'in_progress'), call('read', { path: 'none.txt' })],
      };
    return { text: 'Nothing had to be painted, since there is no such file as was meant.' };
  });
  const folder = await local.checkout({ 'a.txt': 'red\n' });
  const plain = await onTerminal(folder, 'paint it', { NO_COLOR: '1' });
  expect(plain.split('\n').slice(0, 12)).toEqual([
    '',
    'I look at the file first, because what it says decides on',
    'the rest.',
    '',
    '· 1 of 2 steps done',
    '  ✓ Look at the file',
    '  ▸ Paint it blue in each of the places where it is red',
    '    today',
    '· read none.txt',
    expect.stringMatching(/^ {2}.*none\.txt/),
    '',
    'Nothing had to be painted, since there is no such file as',
  ]);
  const coloured = await onTerminal(folder, 'paint it', {});
  const calls = (text: string) => text.split('\n').slice(0, 9);
  expect({
    same: calls(stripVTControlCharacters(coloured)),
    colours: coloured.includes('\u001b[2m· read none.txt\u001b[22m'),
    none: stripVTControlCharacters(plain) === plain,
  }).toEqual({ same: calls(plain), colours: true, none: true });
});
