import type { ModelReply, ModelRequest } from './model.ts';

/**
 * One try at one model over one wire: no retries. Pieces of text go to `onText` as they come. Throws
 * `ProviderError` for whatever the provider or the network did; on abort it throws anything.
 */
export type Wire = (request: ModelRequest, onText: (text: string) => void) => Promise<ModelReply>;

/** Where a wire leads. */
export interface Endpoint {
  /** The provider's name, under which opaque parts are kept. */
  readonly provider: string;
  /** The model's name as the provider knows it. */
  readonly model: string;
  readonly baseUrl: string;
  /** Null for an endpoint without authentication. */
  readonly key: string | null;
  /** Null where the operator set none. */
  readonly maxOutputTokens: number | null;
  /** False for endpoints that refuse `stream_options` (Chat Completions only). */
  readonly streamUsage: boolean;
  readonly fetch: typeof globalThis.fetch;
}
