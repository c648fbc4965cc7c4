import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gitEnvironment } from './git.ts';

export interface SmartHttpCall {
  /** The folder that holds the repositories, and the path below it: `acme/shop.git/info/refs`. */
  readonly root: string;
  readonly path: string;
  readonly query: string;
  readonly user: string | null;
  /** More environment for git and its hooks. */
  readonly env: Readonly<Record<string, string>>;
  /** Awaited after git is done and before the client learns that the answer is over. */
  readonly beforeEnd: () => Promise<void>;
}

/** Serves one request of git's smart HTTP protocol by `git http-backend` (git-http-backend(1), CGI). */
export async function serveSmartHttp(
  request: IncomingMessage,
  response: ServerResponse,
  call: SmartHttpCall,
): Promise<number> {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : '';
  };
  const child = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    env: {
      ...gitEnvironment,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      ...call.env,
      GIT_PROJECT_ROOT: call.root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${call.path}`,
      QUERY_STRING: call.query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: header('content-type'),
      CONTENT_LENGTH: header('content-length'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      GIT_PROTOCOL: header('git-protocol'),
      REMOTE_ADDR: '127.0.0.1',
      ...(call.user === null ? {} : { REMOTE_USER: call.user }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  let head: Buffer | null = Buffer.alloc(0);
  let status = 200;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.on('error', reject);
  child.on('close', () => resolve());
  child.stdout.on('data', (chunk: Buffer) => {
    if (head === null) {
      response.write(chunk);
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const rest = head.subarray(end + 4);
    const headers: Record<string, string> = {};
    for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon);
      const value = line.slice(colon + 1).trim();
      if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
      else headers[name] = value;
    }
    head = null;
    response.writeHead(status, headers);
    response.write(rest);
  });
  await promise;
  if (head !== null) {
    status = 500;
    response.writeHead(status);
  }
  await call.beforeEnd();
  response.end();
  return status;
}
