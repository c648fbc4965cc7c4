import { createHash } from 'node:crypto';
import { ApiError, notFound } from '../protocol/api-error.ts';
import { assertVisible } from '../protocol/authorize.ts';
import type { Call, Credential, Reply } from '../protocol/call.ts';
import { complete } from '../protocol/complete.ts';
import type { Schema } from '../protocol/description.ts';
import type { Route } from '../protocol/router.ts';
import { handlers } from '../rest/handlers.ts';
import { renderFull } from '../uploads.ts';
import { findRepository, type World } from '../world.ts';

/** An answer over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

export interface RestRequest {
  readonly method: string;
  /** Still encoded, without `/api/v3`. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly text: string;
  readonly credential: Credential;
  /** The world that the request sees: of now, or of a moment ago. */
  readonly world: World;
  readonly accept: string;
  readonly ifNoneMatch: string | undefined;
}

export type RestServer = (request: RestRequest) => Promise<HttpAnswer>;

/** The body of a refusal, in GitHub's words. */
export function refusal(error: ApiError): HttpAnswer {
  const body = {
    message: error.message,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    documentation_url: 'https://docs.github.com/rest',
    status: String(error.status),
  };
  const headers = { 'content-type': 'application/json; charset=utf-8', ...error.headers };
  return { status: error.status, headers, body: JSON.stringify(body) };
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(400, 'Problems parsing JSON');
  }
}

/**
 * Serves REST: route, validate, pass on, page, complete. `problems` collects what is wrong with
 * answers.
 */
export function createRestServer(world: World, problems: string[] | null): RestServer {
  const { api } = world;
  const assertAnswer = (found: Route, status: number, schema: Schema | undefined, body: unknown) => {
    if (problems === null) return;
    const name = `${found.operation.operationId} ${status}`;
    if (schema === undefined) problems.push(`${name}: the description has no such answer`);
    else problems.push(...api.check(schema, body).map((problem) => `${name}: ${problem}`));
  };

  return async (request) => {
    const found = api.route(request.method, request.path);
    if (found === undefined) throw notFound();
    const { operation } = found;
    const handler = handlers[operation.operationId];
    const query = api.validate(found, Object.fromEntries(request.search), parseBody(request.text));
    if (handler === undefined)
      throw new ApiError(
        501,
        `The GitHub stand-in has not built ${operation.operationId} (${found.template})`,
      );
    const { params } = found;
    const { credential, accept } = request;
    const call: Call = {
      world: request.world,
      operation,
      params,
      query,
      body: parseBody(request.text),
      credential,
      accept,
    };
    const reply = await run(handler, call);
    if (reply.text !== undefined)
      return {
        status: reply.status,
        headers: { 'content-type': reply.type ?? 'text/plain' },
        body: reply.text,
      };
    const { location } = reply;
    if (reply.body === undefined && reply.list === undefined)
      return { status: reply.status, headers: location === undefined ? {} : { location }, body: null };
    const { page: plain, headers } = paged(world, request, reply);
    const page = /\.full\+json\b/.test(accept) ? withHtml(world, plain) : plain;
    const schema = api.description.responseSchema(operation, reply.status);
    const body =
      schema === undefined ? page : complete(api.description, schema, page, `${world.url}${request.path}`);
    assertAnswer(found, reply.status, schema, body);
    return tagged(request, reply.status, headers, JSON.stringify(body));
  };
}

async function run(handler: (typeof handlers)[string], call: Call): Promise<Reply> {
  if (handler.scope === 'world') return handler.handle(call);
  const repository = findRepository(call.world, `${call.params.owner}/${call.params.repo}`);
  if (repository === undefined) throw notFound();
  assertVisible(call.credential, repository);
  return handler.handle({ ...call, repository });
}

/** The rendered text beside each text (GitHub Docs, "Getting started with the REST API", media types). */
function withHtml(world: World, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withHtml(world, item));
  if (typeof value !== 'object' || value === null || !('body' in value)) return value;
  return { ...value, body_html: renderFull(world, typeof value.body === 'string' ? value.body : '') };
}

/**
 * The requested page, and the `Link` to the others (GitHub Docs, "Using pagination in the REST
 * API").
 */
function paged(world: World, { search, path }: RestRequest, reply: Reply) {
  const { list } = reply;
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  if (list === undefined) return { page: reply.body, headers };
  const size = Math.min(Number(search.get('per_page') ?? 30) || 30, 100);
  const number = Math.max(Number(search.get('page') ?? 1) || 1, 1);
  const last = Math.max(Math.ceil(list.length / size), 1);
  const to = (page: number, rel: string) => {
    const query = new URLSearchParams(search);
    query.set('page', String(page));
    return `<${world.url}${path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [to(number - 1, 'prev')] : []),
    ...(number < last ? [to(number + 1, 'next'), to(last, 'last')] : []),
    ...(number > 1 ? [to(1, 'first')] : []),
  ];
  if (links.length > 0) headers.link = links.join(', ');
  const items = list.slice((number - 1) * size, number * size);
  const page =
    reply.envelope === undefined
      ? items
      : {
          total_count: list.length,
          ...(reply.envelope === 'items' ? { incomplete_results: false } : {}),
          [reply.envelope]: items,
        };
  return { page, headers };
}

function tagged(
  request: RestRequest,
  status: number,
  headers: Record<string, string>,
  body: string,
): HttpAnswer {
  if (request.method !== 'GET' || status !== 200) return { status, headers, body };
  const etag = `W/"${createHash('sha256').update(body).digest('hex')}"`;
  if (request.ifNoneMatch === etag) return { status: 304, headers: { ...headers, etag }, body: null };
  return { status, headers: { ...headers, etag }, body };
}
