import type { Message } from '../../contract/message.ts';
import type { ModelReply, ToolAdvert } from './model.ts';

/** One request to one model, as an adapter translates it. */
export interface WireRequest {
  readonly system: string;
  readonly tools: readonly ToolAdvert[];
  readonly messages: readonly Message[];
  /** 0 none … 4 high; an adapter sends it only where the model is known to take it. */
  readonly effort: number;
  readonly signal: AbortSignal;
}

/**
 * One try at one model over one wire: no retries. Pieces of text go to `onText` as they come. Throws
 * `ProviderError` for whatever the provider or the network did; on abort it throws anything.
 */
export type Wire = (request: WireRequest, onText: (text: string) => void) => Promise<ModelReply>;

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
