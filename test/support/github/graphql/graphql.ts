import { execute, GraphQLError, type GraphQLFieldResolver, parse, validate } from 'graphql';
import { ApiError } from '../protocol/api-error.ts';
import type { Credential } from '../protocol/call.ts';
import { assertNodeLimit, costOf } from '../rules/graphql-cost.ts';
import type { Traffic } from '../rules/traffic.ts';
import type { HttpAnswer } from '../server/rest.ts';
import type { World } from '../world.ts';
import type { GraphqlContext } from './context.ts';
import { mutations } from './mutations.ts';
import { queries } from './queries.ts';
import { GraphqlRefusal } from './refusal.ts';

/** `seen` is the world that a read sees: itself, or how it was a moment ago. */
export type GraphqlServer = (text: string, credential: Credential, seen: World) => Promise<HttpAnswer>;

/** Reads a field of a node; an unknown field is an error with its name, never a silent null. */
const fieldResolver: GraphQLFieldResolver<Record<string, unknown>, GraphqlContext> = (
  source,
  args,
  context,
  info,
) => {
  const value = source[info.fieldName];
  if (value === undefined)
    throw new Error(`The GitHub stand-in has not built ${info.parentType.name}.${info.fieldName}`);
  return typeof value === 'function' ? value(args, context) : value;
};

interface Asked {
  readonly query?: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
}

const json = (status: number, body: unknown): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
});

const displayed = (error: GraphQLError) => {
  const cause = error.originalError;
  const type =
    cause instanceof GraphqlRefusal
      ? cause.type
      : cause instanceof ApiError
        ? typeOf(cause.status)
        : undefined;
  return {
    ...(type === undefined ? {} : { type }),
    ...(error.path === undefined ? {} : { path: error.path }),
    ...(error.locations === undefined ? {} : { locations: error.locations }),
    message: error.message,
  };
};

const typeOf = (status: number) =>
  status === 404 ? 'NOT_FOUND' : status === 403 || status === 401 ? 'FORBIDDEN' : 'UNPROCESSABLE';

/** Serves GraphQL against GitHub's published schema; `spend` takes the points of a query from the hour of whoever asks. */
export function createGraphqlServer(world: World, spend: Traffic['spend']): GraphqlServer {
  return async (text, credential, seen) => {
    if (credential.kind === 'none')
      throw new ApiError(401, 'This endpoint requires you to be authenticated.');
    if (credential.kind === 'app') throw new ApiError(401, 'Bad credentials');
    const schema = await world.api.graphqlSchema();
    const requested = readAsked(text);
    if (requested.query === undefined)
      return json(400, { message: 'A query attribute must be specified and must be a string.' });
    let document: ReturnType<typeof parse>;
    try {
      document = parse(requested.query);
    } catch (cause) {
      if (!(cause instanceof GraphQLError)) throw cause;
      return json(200, { errors: [displayed(cause)] });
    }
    const errors = validate(schema, document);
    if (errors.length > 0) return json(200, { errors: errors.map(displayed) });
    try {
      const cost = costOf(document, requested.variables ?? {});
      assertNodeLimit(cost, world.limits.graphqlNodes);
      spend(credential.token.actor.login, cost.points);
    } catch (cause) {
      if (!(cause instanceof GraphqlRefusal)) throw cause;
      return json(200, { errors: [{ type: cause.type, message: cause.message }] });
    }
    const result = await execute({
      schema,
      document,
      rootValue: { ...queries, ...mutations },
      contextValue: { world: seen, credential },
      variableValues: requested.variables ?? {},
      operationName: requested.operationName ?? null,
      fieldResolver,
    });
    return json(200, {
      ...(result.data === undefined ? {} : { data: result.data }),
      ...(result.errors === undefined ? {} : { errors: result.errors.map(displayed) }),
    });
  };
}

function readAsked(text: string): Asked {
  try {
    return JSON.parse(text) as Asked;
  } catch {
    throw new ApiError(400, 'Problems parsing JSON');
  }
}
