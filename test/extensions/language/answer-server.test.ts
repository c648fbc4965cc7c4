import { PassThrough } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';
import { answerServer } from '../../../src/extensions/language/answer-server.ts';

const open: MessageConnection[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.dispose();
});

/** What is kept of what a server says, and the server's end of the connection. */
function answered() {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const [own, server] = [createMessageConnection(there, back), createMessageConnection(back, there)];
  open.push(own, server);
  const notices = answerServer(own, { folder: '/w', settings: {} });
  own.listen();
  server.listen();
  return { notices, server };
}

test('ids, methods and tokens of 200 characters are kept, longer ones are not', async () => {
  const { notices, server } = answered();
  const [longest, longer] = ['x'.repeat(200), 'y'.repeat(201)];
  const register = (id: string, method: string) =>
    server.sendRequest('client/registerCapability', { registrations: [{ id, method }] });
  const progress = async (token: string | number, kind: string) => {
    await server.sendNotification('$/progress', { token, value: { kind } });
    // Is answered when what was said before it is heard.
    await server.sendRequest('window/showMessageRequest', {});
    return notices.busy;
  };
  await register(longer, 'by a longer id');
  await register('1', longer);
  await register(longest, 'by the longest id');
  await register('2', longest);
  expect({
    registered: ['by a longer id', longer, 'by the longest id', longest].map(notices.registers),
    busy: [
      await progress(longer, 'begin'),
      await progress(longest, 'begin'),
      await progress(7, 'begin'),
      await progress(longest, 'end'),
      await progress(7, 'end'),
    ],
  }).toEqual({
    registered: [false, false, true, true],
    busy: [false, true, true, true, false],
  });
});
