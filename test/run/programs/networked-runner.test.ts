import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { createProgramRunner } from '../../../src/run/programs/program-runner.ts';
import { available, runnerPlace } from '../../sandbox/runner-fixture.ts';

const place = runnerPlace();

/** A server on loopback that answers each line with this word before it. */
async function echo(word: string): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('data', (line) => socket.end(`${word} ${line.toString()}`));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return { server, port: address.port };
}

test.skipIf(!available)(
  'a program reaches exactly the hosts that are configured for it, by name',
  async () => {
    const [named, other] = [await echo('named'), await echo('other')];
    const entries = [
      `localhost:${named.port}`,
      'db.example.com:5432',
      'replica.example.com:5432',
      'api.example.com',
    ];
    const runner = await createProgramRunner(
      {
        root: place.root,
        runFolder: place.folder,
        sandboxed: true,
        environment: { PATH: process.env.PATH },
      },
      place.spillFolder,
      { name: 'net', hosts: entries },
    );
    const reply: Buffer[] = [];
    const ask = (port: number) =>
      `(exec 3<>/dev/tcp/127.0.0.1/${port} && echo hello >&3 && cat <&3) 2>/dev/null || echo closed`;
    const connect = (host: string) =>
      `(exec 3<>/dev/tcp/127.0.0.1/3128 && printf 'CONNECT ${host} HTTP/1.1\\r\\n\\r\\n' >&3 && head -n 1 <&3)`;
    const command = [
      'cat',
      ask(named.port),
      ask(other.port),
      'getent hosts db.example.com replica.example.com | tr -s " "',
      connect(`localhost:${other.port}`),
      connect('169.254.169.254:80'),
      'echo "$HTTPS_PROXY $NO_PROXY $OWN"',
      'exit 7',
    ].join('\n');
    try {
      const { exitCode } = await runner.run({
        command,
        cwd: place.root,
        timeoutMs: 20_000,
        signal: new AbortController().signal,
        env: { OWN: 'own' },
        stdin: 'input\n',
        onOutput: (chunk) => reply.push(chunk),
      });
      expect([exitCode, Buffer.concat(reply).toString().replaceAll('\r', '').split('\n')]).toEqual([
        7,
        [
          'input',
          'named hello',
          'closed',
          '127.0.1.1 db.example.com',
          '127.0.1.2 replica.example.com',
          'HTTP/1.1 403 Forbidden',
          'HTTP/1.1 403 Forbidden',
          'http://127.0.0.1:3128 localhost,db.example.com,replica.example.com own',
          '',
        ],
      ]);
    } finally {
      await runner.close();
      for (const { server } of [named, other]) server.close();
    }
  },
);
