import * as z from 'zod';
import { decodeError, ErrorMessage, encodeError } from './error-message.ts';

/** One end of Node's IPC channel: a `ChildProcess`, or `process` itself. */
export interface ChannelEnd {
  readonly connected?: boolean;
  send?(
    message: unknown,
    handle: undefined,
    options: object,
    callback: (error: Error | null) => void,
  ): unknown;
  on(event: 'message', listen: (message: unknown) => void): unknown;
  on(event: 'disconnect', listen: () => void): unknown;
}

/** Methods of one side with the schemas of input and output. */
export type Methods = Readonly<Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>>;

/** Handlers of the methods. The signal aborts with the caller's. */
export type Handlers<Own extends Methods> = {
  readonly [Name in keyof Own]: (
    input: z.output<Own[Name]['input']>,
    signal: AbortSignal,
  ) => Promise<z.input<Own[Name]['output']>>;
};

/** A channel to the other process. */
export interface Channel<Theirs extends Methods> {
  /**
   * Calls the other side and waits for its answer. An abort is forwarded, and the answer still
   * awaited. Rejects with the remote error in its own class, or with `ChannelClosed` if the process
   * has ended.
   */
  call<Name extends keyof Theirs & string>(
    name: Name,
    input: z.input<Theirs[Name]['input']>,
    signal?: AbortSignal,
  ): Promise<z.output<Theirs[Name]['output']>>;
  /** Resolves when the other process has ended. */
  readonly closed: Promise<void>;
}

/** The other process has ended or is ending. */
export class ChannelClosed extends Error {
  override readonly name = 'ChannelClosed';
}

const id = z.int().positive();
const Message = z.union([
  z.strictObject({ call: id, name: z.string(), input: z.unknown().optional() }),
  z.strictObject({ abort: id, reason: ErrorMessage }),
  z.strictObject({ answer: id, error: ErrorMessage }),
  z.strictObject({ answer: id, value: z.unknown().optional() }),
]);

/** Schema for no input or no output. */
export const noValue = z.void();

/**
 * Opens the channel at this end: `theirs` are the methods of the other side, `own` those offered
 * here. Messages are validated in both directions, so an invalid one breaks only its own call.
 */
export function createChannel<Theirs extends Methods, Own extends Methods>(
  end: ChannelEnd,
  theirs: Theirs,
  own: Own,
  handlers: Handlers<Own>,
): Channel<Theirs> {
  let lastId = 0;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const underWay = new Map<number, AbortController>();
  const closed = Promise.withResolvers<void>();
  const close = (): void => {
    for (const { reject } of waiting.values()) reject(new ChannelClosed('The other process is gone.'));
    waiting.clear();
    for (const controller of underWay.values()) controller.abort(new ChannelClosed('The caller is gone.'));
    closed.resolve();
  };
  // A send to an ended process is reported by `disconnect`.
  const send = (message: z.input<typeof Message>): void => void end.send?.(message, undefined, {}, () => {});

  const answer = createAnswers(own, handlers, underWay, send);

  end.on('message', (received) => {
    const parsed = Message.safeParse(received);
    if (!parsed.success) return;
    const message = parsed.data;
    if ('call' in message) void answer(message.call, message.name, message.input);
    else if ('abort' in message) underWay.get(message.abort)?.abort(decodeError(message.reason));
    else {
      const one = waiting.get(message.answer);
      waiting.delete(message.answer);
      if ('error' in message) one?.reject(decodeError(message.error));
      else one?.resolve(message.value);
    }
  });
  end.on('disconnect', close);

  return {
    async call(name, input, signal) {
      if (end.connected !== true) throw new ChannelClosed('The other process is gone.');
      lastId += 1;
      const call = lastId;
      const result = Promise.withResolvers<unknown>();
      waiting.set(call, result);
      const abort = (): void => send({ abort: call, reason: encodeError(signal?.reason) });
      send({ call, name, input });
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
      try {
        const output = await result.promise;
        return theirs[name]?.output.parse(output) as z.output<Theirs[typeof name]['output']>;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
    closed: closed.promise,
  };
}

/** Returns what handles a call of the other side and sends its result. */
function createAnswers<Own extends Methods>(
  own: Own,
  handlers: Handlers<Own>,
  underWay: Map<number, AbortController>,
  send: (message: z.input<typeof Message>) => void,
) {
  return async (call: number, name: string, given: unknown): Promise<void> => {
    const controller = new AbortController();
    underWay.set(call, controller);
    try {
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      const method = own[name];
      if (handler === undefined || method === undefined) throw new Error(`There is no method ${name}.`);
      const input = method.input.parse(given) as Parameters<typeof handler>[0];
      send({ answer: call, value: await handler(input, controller.signal) });
    } catch (error) {
      send({ answer: call, error: encodeError(error) });
    } finally {
      underWay.delete(call);
    }
  };
}
