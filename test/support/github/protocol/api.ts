import { schema as published } from '@octokit/graphql-schema';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { type Description, loadDescription, type Schema } from './description.ts';
import { createRouter, type Route } from './router.ts';
import { createRequestValidator, createSchemaCheck, type RequestValidator } from './validate.ts';

/** GitHub's descriptions of itself, ready to use. Holds no state: stand-ins may share one to start faster. */
export interface Api {
  readonly description: Description;
  readonly route: (method: string, path: string) => Route | undefined;
  readonly validate: RequestValidator;
  /** What is wrong with a value that the stand-in sends, by its schema. */
  readonly check: (schema: Schema, value: unknown) => string[];
  /** Read on the first call, about 0.2 s. */
  readonly graphqlSchema: () => GraphQLSchema;
}

/** Reads GitHub's REST description; schemas are compiled when first needed. */
export function loadApi(): Api {
  const description = loadDescription();
  let graphqlSchema: GraphQLSchema | undefined;
  return {
    description,
    route: createRouter(description),
    validate: createRequestValidator(description),
    check: createSchemaCheck(description),
    graphqlSchema: () => {
      graphqlSchema ??= buildSchema(published.idl, { assumeValid: true });
      return graphqlSchema;
    },
  };
}
