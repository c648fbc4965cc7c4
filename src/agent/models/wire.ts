import type { ChatDialect } from './chat-dialect.ts';
import type { ModelReply, ModelRequest } from './model.ts';

/** A request on its way. */
export interface WireRequest extends ModelRequest {
  /** Called at each event of the answer, text or not: the endpoint is at work. */
  readonly onEvent?: () => void;
}

/**
 * One try at one model over one wire: no retries. Pieces of text go to `onText` as they come. Throws
 * `ProviderError` for whatever the provider or the network did; on abort it throws anything.
 */
export type Wire = (request: WireRequest, onText: (text: string) => void) => Promise<ModelReply>;

/** Where a wire leads. */
export interface Endpoint {
  /** Provider and model, under which opaque parts are kept: nobody else can read them. */
  readonly author: string;
  /** The model's name as the provider knows it. */
  readonly model: string;
  readonly baseUrl: string;
  /** Null for an endpoint without authentication. */
  readonly key: string | null;
  /** Null where the operator set none. */
  readonly maxOutputTokens: number | null;
  /** What is said beyond the least (Chat Completions only). */
  readonly chat: ChatDialect;
  /** The same for all requests that share a beginning, so that they meet the same cache; null for none. */
  readonly cacheKey: string | null;
  readonly fetch: typeof globalThis.fetch;
}

/** What a cloud that resells models has to know besides. */
export interface Cloud {
  /** Where the models run; null where it is of no matter. */
  readonly region: string | null;
  /** Google's project; null leaves it to the credentials. */
  readonly project: string | null;
  /** The version of Azure's API; null takes the newest that is stable. */
  readonly apiVersion: string | null;
  /** True where the key is a token that goes as `Authorization: Bearer`. */
  readonly bearer: boolean;
  /** The file with Google's credentials; null leaves it to Google's library to find some. */
  readonly credentialsFile: string | null;
  /** AWS credentials of the environment; null leaves them to the chain that the AWS SDK follows. */
  readonly aws: { readonly id: string; readonly secret: string; readonly session: string | null } | null;
}
