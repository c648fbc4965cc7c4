import { EventEmitter } from 'node:events';
import type { ChannelEnd } from '../../src/channel/create-channel.ts';

/** Two ends of a channel, with JSON between them as in Node's own; `close` takes the line away. */
export function channelEnds(): { readonly ends: readonly [ChannelEnd, ChannelEnd]; close(): void } {
  let connected = true;
  const emitters = [new EventEmitter(), new EventEmitter()] as const;
  const end = (own: EventEmitter, other: EventEmitter): ChannelEnd => ({
    get connected() {
      return connected;
    },
    send(message) {
      const text = JSON.stringify(message);
      if (connected) queueMicrotask(() => other.emit('message', JSON.parse(text)));
    },
    on: (event: string, listen: (message: unknown) => void) => own.on(event, listen),
  });
  return {
    ends: [end(emitters[0], emitters[1]), end(emitters[1], emitters[0])],
    close() {
      connected = false;
      for (const emitter of emitters) emitter.emit('disconnect');
    },
  };
}
