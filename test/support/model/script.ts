import type { IncomingHttpHeaders } from 'node:http';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import type { Message } from '../../../src/contract/message.ts';
import type { Usage } from '../../../src/contract/usage.ts';

/** The three wires: Anthropic Messages, OpenAI Responses, Chat Completions. */
export type Api = 'messages' | 'responses' | 'chat';

/** A tool as the request advertised it. */
export interface AdvertisedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** One request as the script sees it: the same shape whatever the wire. */
export interface ScriptedRequest {
  readonly api: Api;
  /** Counts the requests of this server from 0, retries and rejected ones included. */
  readonly index: number;
  readonly model: string;
  readonly stream: boolean;
  readonly system: string;
  readonly tools: readonly AdvertisedTool[];
  readonly messages: readonly Message[];
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly raw: JsonObject;
}

/** A call of the model; a string as `input` is sent unchanged, so a test can send broken JSON. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: Json;
  /** Made up and unique when left out. */
  readonly id?: string;
}

/** What the model says. */
export interface ScriptedReply {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** `tool_calls` where there are calls, else `end`. */
  readonly stop?: 'end' | 'tool_calls' | 'length' | 'refusal';
  /** Signed thinking (Messages) or an encrypted reasoning item (Responses) before the rest. */
  readonly thinking?: string;
  /** Estimated from the bytes where left out. */
  readonly usage?: Partial<Usage>;
}

/** A way to fail, or to be slow, after the status line said 200. */
export interface ScriptedFault {
  /**
   * `reset` closes the connection before any answer; `reset-mid-event` in the middle of an event;
   * `half-json` ends the body in the middle of an event; `cut` ends it after half of the events;
   * `garbage` sends events that are no JSON; `stall` sends half and then nothing more; `drip` sends
   * everything, a few bytes at a time; `error-event` reports an overload inside the stream.
   */
  readonly fault:
    | 'reset'
    | 'reset-mid-event'
    | 'half-json'
    | 'cut'
    | 'garbage'
    | 'stall'
    | 'drip'
    | 'error-event';
  /** The text before the failure; a sentence by default. */
  readonly reply?: ScriptedReply;
}

/** An HTTP failure; without a body the wire's own error shape is sent. */
export interface ScriptedStatus {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

export type Reply = ScriptedReply | ScriptedFault | ScriptedStatus;

/** Decides on the whole request, so one server can serve several conversations at the same time. */
export type Script = (request: ScriptedRequest) => Reply | Promise<Reply>;

/** One server-sent event. */
export interface WireEvent {
  readonly event?: string;
  readonly data: JsonObject | '[DONE]';
}

/** A whole answer in a wire's own shape, plain and as events. */
export interface WireAnswer {
  readonly plain: JsonObject;
  readonly events: readonly WireEvent[];
}

/** A reply with everything filled in, for the wires. */
export interface FullReply {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly stop: 'end' | 'tool_calls' | 'length' | 'refusal';
  readonly usage: Usage;
}

/** What a wire reads from a body. */
export type NeutralRequest = Pick<ScriptedRequest, 'model' | 'stream' | 'system' | 'tools' | 'messages'>;

/** A request that the real endpoint would answer with 400, in its words. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest';
}
