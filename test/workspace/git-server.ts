import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A git server over smart HTTP that requires a token. It runs git's own `http-backend`. */
export interface GitServer {
  readonly url: string;
  /** Every request in order, with the command lines of all processes at that time. */
  readonly requests: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly running: readonly string[];
  }[];
  close(): Promise<void>;
}

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return []; // It has ended since.
      }
    });
}

/** Serves the repositories below `folder`; paths that start with `/moved/` are redirected. */
export async function gitServer(folder: string, token: string): Promise<GitServer> {
  const expected = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const requests: GitServer['requests'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { authorization } = request.headers;
    requests.push({ path: url.pathname, authorization, running: commandLines() });
    if (url.pathname.startsWith('/moved/')) {
      response.writeHead(302, { location: `${url.pathname.slice('/moved'.length)}${url.search}` }).end();
      return;
    }
    if (authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        HOME: '/nonexistent',
        REMOTE_USER: 'anode',
        REQUEST_METHOD: request.method,
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    request.pipe(backend.stdin);
    backend.stdin.on('error', () => {});
    let head = Buffer.alloc(0);
    backend.stdout.on('data', function first(chunk: Buffer) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      backend.stdout.off('data', first);
      const lines = head
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(': '));
      const headers = Object.fromEntries(lines.map(([name = '', value = '']) => [name, value]));
      response.writeHead(Number.parseInt(headers.Status ?? '200', 10), headers);
      response.write(head.subarray(end + 4));
      backend.stdout.pipe(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
