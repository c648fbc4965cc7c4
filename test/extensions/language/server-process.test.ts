import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openServerProcess } from '../../../src/extensions/language/server-process.ts';
import { openTools, type ToolHarness } from '../../tools/tool-harness.ts';

let tools: ToolHarness | undefined;
afterEach(() => tools?.close());

const head = (length: number) => `Content-Length: ${length}\\r\\n\\r\\n`;

/** Starts a program of the shell; `large` are the messages that were too long. */
async function open(program: string, more: { args?: readonly string[]; env?: Record<string, string> } = {}) {
  tools = await openTools({ 'my server': `#!/bin/sh\n${program}\n` });
  const { root, context } = tools;
  chmodSync(path.join(root, 'my server'), 0o755);
  const large: unknown[] = [];
  const server = await openServerProcess(
    {
      runner: context.commands,
      argv: [path.join(root, 'my server'), ...(more.args ?? [])],
      env: more.env ?? {},
      folder: root,
    },
    (id, bytes) => large.push([id, bytes]),
  );
  return { server, large };
}

test.each([
  ['exit 3', 'ended with exit code 3'],
  ['exit 0', 'ended with exit code 0'],
  ['kill -9 $$', 'was ended by SIGKILL'],
  ['echo " no such module " >&2; exit 1', 'ended with exit code 1 and said: no such module'],
  ['echo "$1 $GREETING $(pwd | tail -c 5)" >&2', "ended with exit code 0 and said: it's me hello tree"],
  [
    'i=0; while [ $i -lt 700 ]; do printf x; i=$((i+1)); done >&2',
    `ended with exit code 0 and said: ${'x'.repeat(600)}`,
  ],
  ['printf "Content-Length: x\\r\\n\\r\\n"; sleep 60', expect.stringMatching(/^sent /)],
])('the end of a server with the program %j is reported', async (program, why) => {
  const { server } = await open(program, { args: ["it's me"], env: { GREETING: 'hello' } });
  // Nobody has to wait for the end: its rejection alone breaks nothing.
  await server.finished;
  expect(server.ended).toEqual(why);
  await expect(server.gone).rejects.toThrow(expect.objectContaining({ name: 'ServerEnded' }));
});

test('the first reason for an end counts and ends the process', async () => {
  const { server } = await open('sleep 60');
  const before = server.ended;
  server.end('took too long');
  server.end('again');
  await server.finished;
  expect([before, server.ended]).toEqual([null, 'took too long']);
});

test('a server is gone when killing it resolves', async () => {
  const { server } = await open('sleep 60');
  await server.kill();
  expect(server.ended).toMatch(/^was ended by /);
});

test('a server receives messages and answers them', async () => {
  const answer = '{"jsonrpc":"2.0","id":0,"result":"a"}';
  const { server } = await open(`read -r line; printf '${head(answer.length)}${answer}'; cat >/dev/null`);
  server.connection.listen();
  expect(await server.connection.sendRequest('hello')).toBe('a');
  await server.kill();
});

test('a server that sends endless unrequested data is ended, unless a new request comes', async () => {
  const mebibyte = 1024 * 1024;
  const notice = `{"jsonrpc":"2.0","method":"x","params":"${'y'.repeat(mebibyte)}"}`;
  const { server } = await open(
    `body=$(head -c ${mebibyte} /dev/zero | tr '\\0' y); while :; do printf '${head(notice.length)}{"jsonrpc":"2.0","method":"x","params":"%s"}' "$body"; done`,
  );
  await server.finished;
  expect(server.ended).toBe('sent more than 64 MiB without a request');
});
