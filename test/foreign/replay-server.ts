import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findWire } from '../support/model/find-wire.ts';
import type { Recorded } from './read-recorded.ts';

/** A server that answers as it was recorded. */
export interface ReplayServer {
  /** The address of one recording, to which the paths of its wire are put. */
  address(number: number): string;
  /** The number of requests for a recording. */
  asked(number: number): number;
  close(): Promise<void>;
}

/**
 * Starts a server on loopback that gives each recorded answer to the first request at its address, byte for byte, and a plain
 * one to all others. It checks nothing: recorded answers hold what only their own provider could take back.
 */
export async function startReplay(recorded: readonly Recorded[]): Promise<ReplayServer> {
  const asked = recorded.map(() => 0);
  const server = createServer((incoming, response) => {
    const [, number = '', rest = ''] = /^\/(\d+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    incoming.resume().once('end', () => {
      const one = recorded[Number(number)];
      const wire = findWire(new URL(rest, 'http://replay'));
      if (one === undefined || wire === null) return response.writeHead(500).end('no such recording');
      const times = (asked[Number(number)] ?? 0) + 1;
      asked[Number(number)] = times;
      if (times === 1) return response.writeHead(one.status, { 'content-type': one.ctype }).end(one.body);
      const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0 };
      const plain = { id: '1', model: 'm', text: 'A plain answer.', thinking: '', calls: [], usage };
      response.writeHead(200, { 'content-type': wire.framing.contentType });
      return response.end(Buffer.concat(wire.framing.pieces(wire.answer({ ...plain, stop: 'end' }))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: (number) => `http://127.0.0.1:${port}/${number}`,
    asked: (number) => asked[number] ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
