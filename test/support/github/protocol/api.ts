import { generateKeyPairSync } from 'node:crypto';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { type Description, loadDescription, type Schema } from './description.ts';
import { createRouter, type Route } from './router.ts';
import { createRequestValidator, createSchemaCheck, type RequestValidator } from './validate.ts';

/** GitHub's descriptions of itself, ready to use. Stand-ins may share one to start faster. */
export interface Api {
  readonly description: Description;
  readonly route: (method: string, path: string) => Route | undefined;
  readonly validate: RequestValidator;
  /** The faults of a value that the stand-in sends, by its schema. */
  readonly check: (schema: Schema, value: unknown) => string[];
  /** Read on the first call, about 0.3 s. */
  readonly graphqlSchema: () => Promise<GraphQLSchema>;
  /** The key pair of a stand-in's app by its place among them; making one takes about 0.1 s. */
  readonly keyPair: (index: number) => KeyPair;
}

/** PEM, SPKI and PKCS #8. */
export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const makeKeyPair = (): KeyPair =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** Reads GitHub's REST description; schemas are compiled when first needed. */
export function loadApi(): Api {
  const description = loadDescription();
  const keyPairs = new Map<number, KeyPair>();
  let graphqlSchema: GraphQLSchema | undefined;
  return {
    description,
    route: createRouter(description),
    validate: createRequestValidator(description),
    check: createSchemaCheck(description),
    graphqlSchema: async () => {
      if (graphqlSchema === undefined) {
        const published = await import('@octokit/graphql-schema');
        graphqlSchema = buildSchema(published.schema.idl, { assumeValid: true });
      }
      return graphqlSchema;
    },
    keyPair: (index) => {
      const keyPair = keyPairs.get(index) ?? makeKeyPair();
      keyPairs.set(index, keyPair);
      return keyPair;
    },
  };
}
