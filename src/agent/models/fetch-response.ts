import type { FetchHeaders } from './fetch-headers.ts';

/**
 * The part of the Fetch standard's `Response` that clients read, on a streamed body. Node's own
 * class would load its whole fetch library.
 */
export class FetchResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly url: string;
  readonly headers: FetchHeaders;
  /**
   * To read once. Null for a status that has none. No `ReadableStream`: all readers iterate, and
   * that class loads a whole library.
   */
  readonly body: AsyncIterable<Uint8Array> | null;

  /** Throws `RangeError` for a status that no final answer has. */
  constructor(answer: {
    readonly status: number;
    readonly url: string;
    readonly headers: FetchHeaders;
    readonly body: AsyncIterable<Uint8Array> | null;
  }) {
    if (!(answer.status >= 200 && answer.status <= 599))
      throw new RangeError(`no answer has the status ${answer.status}`);
    this.status = answer.status;
    this.ok = answer.status < 300;
    this.url = answer.url;
    this.headers = answer.headers;
    this.body = answer.body;
  }

  /** The whole body as text; rejects as the body does. */
  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body ?? []) chunks.push(chunk);
    return new TextDecoder().decode(Buffer.concat(chunks));
  }

  /** The whole body as JSON; rejects with `SyntaxError` if it is not JSON. */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
