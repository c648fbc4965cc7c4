import { createServer } from 'node:net';

/** Finds a port of loopback without a listener, for a program that needs a port number. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  await new Promise((settle) => server.close(settle));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
