import type { AssistantMessage, Message, ToolDefinition } from '../../contract/message.ts';
import type { Usage } from '../../contract/usage.ts';
import type { ChatDialect } from './chat-dialect.ts';

export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  /**
   * Index into `effortNames` (0 none, 4 high, 6 max). Sent only to models known to accept it.
   */
  readonly effort: number;
  readonly signal: AbortSignal;
}

/**
 * The reason why the model stopped: its turn is over, it calls tools, it was cut off, or it
 * refused. `unread_call`: the provider could not read its call. `unclear`: by the text protocol, it
 * announced an action without taking one.
 */
export type ModelStop = 'end' | 'tool_calls' | 'length' | 'refusal' | 'unread_call' | 'unclear';

export interface ModelReply {
  readonly message: AssistantMessage;
  readonly stop: ModelStop;
  readonly usage: Usage;
  /** The provider's message on a call that it could not read. */
  readonly problem?: string;
  /** Dollars, if the provider reports the charge. */
  readonly costUsd?: number;
}

/**
 * One model behind one provider. `complete` streams: text pieces go to `onText` as they come, and
 * none twice after a retry. The reply is whole: no call of a broken stream is returned. Retries
 * overload, rate limits and broken streams itself, within bounds. Throws `RunStopped`
 * (`provider_failed`, `provider_refused`) after the last try. Throws `RequestRejected` if the
 * request itself is at fault. Throws `ConfigError` for a wrong key, model or endpoint, and the
 * signal's reason on abort. With a fallback, all other fields belong to the model that answered
 * last.
 */
export interface Model {
  /** `anthropic/claude-sonnet-4-6`. */
  readonly name: string;
  /**
   * False for models that use the text protocol (`ANSWER:`, `BASH:`, `TOOL:`, `PATCH:`) instead.
   */
  readonly nativeTools: boolean;
  readonly contextWindow: number;
  complete(request: ModelRequest, onText: (text: string) => void): Promise<ModelReply>;
  /** Dollars for a count of tokens; null where the price is not known. */
  cost(usage: Usage): number | null;
}

/** A request in progress. */
export interface WireRequest extends ModelRequest {
  /** Called at each event of the answer, text or not: the endpoint is at work. */
  readonly onEvent?: () => void;
}

/**
 * One try at one model over one wire: no retries. Text is streamed to `onText`. Throws
 * `ProviderError` for any failure of the provider or the network; on abort it throws anything.
 */
export type Wire = (request: WireRequest, onText: (text: string) => void) => Promise<ModelReply>;

/** Target of a wire. */
export interface Endpoint {
  /** Provider and model that opaque parts are stored under: no other can read them. */
  readonly author: string;
  /** The model's name as the provider knows it. */
  readonly model: string;
  readonly baseUrl: string;
  /** Null for an endpoint without authentication. */
  readonly key: string | null;
  /** Null where the operator set none. */
  readonly maxOutputTokens: number | null;
  /** Features beyond the common ones (Chat Completions only). */
  readonly chat: ChatDialect;
  /**
   * Key shared by all requests with the same beginning, so that they use the same cache. Null for
   * none.
   */
  readonly cacheKey: string | null;
  readonly fetch: typeof globalThis.fetch;
}

/** Further settings of a cloud that resells models. */
export interface Cloud {
  /** Region of the models. Null if it does not matter. */
  readonly region: string | null;
  /** Google's project; null leaves it to the credentials. */
  readonly project: string | null;
  /** The version of Azure's API; null takes the newest that is stable. */
  readonly apiVersion: string | null;
  /** True if the key is a token that is sent as `Authorization: Bearer`. */
  readonly bearer: boolean;
  /** The file with Google's credentials; null leaves it to Google's library to find some. */
  readonly credentialsFile: string | null;
  /** AWS credentials of the environment; null leaves them to the chain that the AWS SDK follows. */
  readonly aws: { readonly id: string; readonly secret: string; readonly session: string | null } | null;
}
