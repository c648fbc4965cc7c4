import * as z from 'zod';

/** Endpoint, credentials and properties of a provider's models. */
export const ProviderSettings = z.strictObject({
  /**
   * The wire: `anthropic`, `openai` (Responses), `openai-compatible` (Chat Completions), or a
   * provider of the table with the endpoint's dialect.
   */
  type: z.string().optional(),
  /** `{env:NAME}`; a literal key is refused in a repository's file. */
  apiKey: z.string().optional(),
  baseUrl: z.url().optional(),
  /** Region of the models of Bedrock or Vertex: `us-east-1`, `global`. */
  region: z.string().optional(),
  /** Google's project, for Vertex. */
  project: z.string().optional(),
  /** A version of Azure's API by its date, for deployments that the newest does not reach. */
  apiVersion: z.string().optional(),
  /** False for a model without native tool calls: the text protocol is used. */
  nativeTools: z.boolean().optional(),
  /** False for a model that takes no images: it gets words in their place. */
  images: z.boolean().optional(),
  modelDefaults: z
    .record(
      z.string(),
      z.strictObject({
        maxContextTokens: z.int().positive().optional(),
        maxOutputTokens: z.int().positive().optional(),
        nativeTools: z.boolean().optional(),
        images: z.boolean().optional(),
        /** Dollars for a million tokens, where no list price is known or another one holds. */
        price: z
          .strictObject({
            input: z.number().nonnegative(),
            output: z.number().nonnegative(),
            cacheRead: z.number().nonnegative().optional(),
            cacheWrite: z.number().nonnegative().optional(),
          })
          .optional(),
      }),
    )
    .optional(),
});

/** Compaction of a conversation that outgrows its model. */
export const ContextSettings = z.strictObject({
  /** Tokens that a model accepts, if `modelDefaults` has no value. */
  window: z.int().positive().optional(),
  /** Tokens that stay free for the reply if `compactPercent` is -1. */
  reserveTokens: z.int().min(0).optional(),
  /** The newest tokens, which are never summarised. */
  keepRecent: z.int().min(0).optional(),
  /**
   * The share of the window at which older turns are summarised; -1: at the window less
   * `reserveTokens`.
   */
  compactPercent: z.union([z.literal(-1), z.number().gt(0).max(0.99)]).optional(),
  /** False: nothing is summarised; the results of the oldest calls make room. */
  compactEnabled: z.boolean().optional(),
});
