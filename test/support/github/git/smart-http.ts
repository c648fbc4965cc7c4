import type { IncomingMessage, ServerResponse } from 'node:http';
import { gitEnvironment } from './git.ts';
import { startGit } from './git-starter.ts';

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
  const answer = await startGit({
    args: ['-c', 'safe.directory=*', 'http-backend'],
    cwd: undefined,
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
    input: await bodyOf(request),
  });
  const { status, headers, body } = readCgi(Buffer.from(answer.output));
  response.writeHead(status, headers);
  response.write(body);
  await call.beforeEnd();
  response.end();
  return status;
}

/** The whole body of a request; the part received so far if the client disconnected. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('close', resolve).on('end', resolve).on('error', resolve);
  await promise;
  return Buffer.concat(chunks);
}

/** Splits the answer of a CGI program (RFC 3875) into its parts; status 500 for one without a head. */
function readCgi(output: Buffer): { status: number; headers: Record<string, string>; body: Buffer } {
  const end = output.indexOf('\r\n\r\n');
  if (end < 0) return { status: 500, headers: {}, body: Buffer.alloc(0) };
  let status = 200;
  const headers: Record<string, string> = {};
  for (const line of output.subarray(0, end).toString('latin1').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else headers[name] = value;
  }
  return { status, headers, body: output.subarray(end + 4) };
}
