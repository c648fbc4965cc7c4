import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { artifactAnswer } from '../artifacts/artifact-service.ts';
import type { GraphqlServer } from '../graphql/graphql.ts';
import { ApiError } from '../protocol/api-error.ts';
import { authenticate } from '../protocol/authenticate.ts';
import type { Credential } from '../protocol/call.ts';
import { assertNotRenamed, movedGit, named } from '../rules/renames.ts';
import type { Replica } from '../rules/replica.ts';
import { isMutation, type Traffic } from '../rules/traffic.ts';
import { uploadAnswer } from '../uploads.ts';
import { timestamp, type World } from '../world.ts';
import type { Fault, Faults } from './faults.ts';
import { assertGitAccess, gitRequestOf, serveGit } from './git.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import { type HttpAnswer, type RestServer, refusal } from './rest.ts';

export interface Parts {
  readonly rest: RestServer;
  readonly graphql: GraphqlServer;
  /** The HTML of a page, null where the path is none. */
  readonly page: (path: string) => Promise<string | null>;
  readonly log: RequestLog;
  readonly faults: Faults;
  readonly traffic: Traffic;
  readonly replica: Replica;
}

/** Makes the HTTP server of REST, GraphQL, git and pages; it listens to nothing yet. */
export function createGitHubServer(world: World, parts: Parts): Server {
  return createServer((request, response) => {
    serve(world, parts, request, response).catch((cause: unknown) => {
      // A defect of the stand-in: the client gets its message, which the test then displays.
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end(text);
      const path = request.url ?? '/';
      parts.log.add(
        entry(world, { kind: 'rest', method: request.method ?? 'GET', path, status: 500, body: text }),
      );
    });
  });
}

type Entry = Pick<LoggedRequest, 'kind' | 'method' | 'path' | 'status'> & Partial<LoggedRequest>;

const entry = (world: World, fields: Entry): LoggedRequest => ({
  query: {},
  body: null,
  actor: null,
  at: timestamp(world),
  ...fields,
});

async function serve(
  world: World,
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const method = request.method ?? 'GET';
  const requested =
    url.pathname.replace(/^\/api\/v3(?=\/|$)/, '').replace(/^\/api\/graphql$/, '/graphql') || '/';
  const path = named(world, requested);
  const plain = decoded(path);
  const base = { method, path: plain ?? path, query: Object.fromEntries(url.searchParams) };
  const faultFor = (body: string) => parts.faults.take(method, base.path, body);

  let credential: Credential = { kind: 'none' };
  let kind: LoggedRequest['kind'] = path === '/graphql' ? 'graphql' : 'rest';
  let text = '';
  let answer: HttpAnswer;
  let counted = false;
  let fault: Fault | undefined;
  try {
    if (plain === null) throw new ApiError(400, 'Bad Request');
    const upload = method === 'GET' ? uploadAnswer(world, url, request.headers.authorization) : null;
    if (upload !== null) {
      kind = 'upload';
      fault = faultFor('');
      if (fault !== undefined) return fail(world, parts, request, response, fault, { kind, ...base });
      response.writeHead(upload.status, upload.headers).end(upload.body ?? undefined);
      parts.log.add(entry(world, { kind, ...base, status: upload.status }));
      return;
    }
    if (/^\/(twirp|blobs)\//.test(url.pathname)) {
      kind = 'artifact';
      const bytes = await readBytes(request);
      fault = faultFor('');
      if (fault !== undefined) return fail(world, parts, request, response, fault, { kind, ...base });
      const given = artifactAnswer(world, { method, url, headers: request.headers, bytes });
      response.writeHead(given.status, given.headers).end(given.body ?? undefined);
      parts.log.add(entry(world, { kind, ...base, status: given.status }));
      return;
    }
    credential = authenticate(world, request.headers.authorization);
    const moved = movedGit(world, path, url.search);
    if (moved !== null) {
      kind = 'git';
      response.writeHead(301, { location: moved }).end();
      parts.log.add(entry(world, { kind, ...base, status: 301, actor: actorName(credential) }));
      return;
    }
    const git = gitRequestOf(world, path, url.searchParams, credential);
    if (git !== null) {
      kind = 'git';
      fault = faultFor('');
      if (fault !== undefined) return fail(world, parts, request, response, fault, { kind, ...base });
      assertGitAccess(git, credential);
      const status = await serveGit(world, request, response, git, credential, url.search.slice(1));
      parts.log.add(entry(world, { kind, ...base, status, actor: actorName(credential) }));
      return;
    }
    text = await readText(request);
    fault = faultFor(text);
    if (fault !== undefined && fault.after !== true)
      return fail(world, parts, request, response, fault, { kind, ...base, body: parsed(text) });
    const html = method === 'GET' && path !== '/graphql' ? await parts.page(path) : null;
    if (html === null) {
      counted = true;
      parts.traffic.take({ method, path, actor: actorName(credential) ?? '', text });
      assertNotRenamed(world, method, path, url.search);
    }
    if (html !== null) {
      kind = 'page';
      answer = { status: 200, headers: pageHeaders, body: html };
    } else if (path === '/graphql') {
      answer = await parts.graphql(text, credential, await parts.replica.view(isMutation(text)));
    } else {
      const search = url.searchParams;
      const accept = request.headers.accept ?? '';
      const ifNoneMatch = request.headers['if-none-match'];
      const seen = await parts.replica.view(method !== 'GET');
      answer = await parts.rest({ method, path, search, text, credential, accept, ifNoneMatch, world: seen });
    }
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    answer = refusal(cause);
  } finally {
    if (counted) parts.traffic.done();
  }
  if (fault !== undefined)
    return fail(world, parts, request, response, fault, { kind, ...base, body: parsed(text) });
  const actor = actorName(credential);
  const status = answer.status;
  response.writeHead(status, {
    'x-github-request-id': String(parts.log.requests.length).padStart(8, '0'),
    'x-github-media-type': 'github.v3; format=json',
    ...parts.traffic.headers(actor ?? '', path === '/graphql' ? 'graphql' : 'core'),
    ...answer.headers,
    date: world.now().toUTCString(),
  });
  parts.log.add(entry(world, { kind, ...base, body: parsed(text), status, actor }));
  response.end(answer.body ?? undefined);
}

function fail(
  world: World,
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  logged: Omit<Entry, 'status'>,
): void {
  const { status = 'reset' } = fault;
  parts.log.add(entry(world, { ...logged, status: status === 'reset' ? 0 : status }));
  if (status === 'reset') {
    request.socket.destroy();
    return;
  }
  request.resume();
  if (fault.json !== undefined) {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...fault.headers });
    response.end(JSON.stringify(fault.json));
    return;
  }
  const answer = refusal(
    new ApiError(status, fault.message ?? 'Server Error', undefined, fault.headers ?? {}),
  );
  response.writeHead(answer.status, answer.headers).end(answer.body ?? undefined);
}

/** Nothing of a page may run: the text on it is hostile. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:",
};

/** A path with decoded percent signs; null if one of them is invalid. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const readText = async (request: IncomingMessage) => (await readBytes(request)).toString('utf8');

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function actorName(credential: Credential): string | null {
  if (credential.kind === 'none') return null;
  return credential.kind === 'app' ? credential.app.slug : credential.token.actor.login;
}
