import { once } from 'node:events';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { ChannelClosed, createChannel, noValue } from '../../src/channel/create-channel.ts';
import { ConfigError, RunStopped } from '../../src/contract/errors.ts';
import { isOutage } from '../../src/github/api-errors.ts';
import { channelEnds } from './channel-ends.ts';

const methods = {
  double: { input: z.object({ of: z.number() }), output: z.number() },
  greet: { input: noValue, output: noValue },
  wait: { input: noValue, output: z.string() },
  lie: { input: noValue, output: z.number() },
  fail: { input: z.object({ how: z.string() }), output: noValue },
};

const failures: Readonly<Record<string, Error>> = {
  config: new ConfigError('No key.', { file: 'anode.yml', key: 'model' }),
  stopped: new RunStopped({ kind: 'cancelled', message: 'Stopped by ada.' }),
  api: Object.assign(new Error('Not Found'), {
    ...{ name: 'HttpError', status: 404, request: { headers: { authorization: 'token s3cret' } } },
    response: { status: 404, url: 'https://api', headers: { date: 'now' }, data: { message: 'Not Found' } },
  }),
  limited: Object.assign(new Error('limited'), { errors: [{ type: 'RATE_LIMITED', message: 'later' }] }),
  caused: new TypeError('outer', { cause: new ConfigError('inner', { key: 'x' }) }),
};

function open() {
  const { ends, close } = channelEnds();
  let began = Promise.withResolvers<AbortSignal>();
  createChannel(ends[1], {}, methods, {
    double: async ({ of }) => of * 2,
    greet: async () => {},
    async wait(_, signal) {
      began.resolve(signal);
      began = Promise.withResolvers();
      if (!signal.aborted) await once(signal, 'abort');
      return signal.reason instanceof RunStopped ? signal.reason.reason.kind : 'aborted';
    },
    lie: async () => 'one' as unknown as number,
    async fail({ how }) {
      throw failures[how];
    },
  });
  return { channel: createChannel(ends[0], methods, {}, {}), ends, close, began: () => began.promise };
}

test("a call returns the other side's result, whatever else is running", async () => {
  const { channel } = open();
  const waiting = new AbortController();
  const waited = channel.call('wait', undefined, waiting.signal);
  const answers = await Promise.all([1, 2, 3].map((of) => channel.call('double', { of })));
  const greeted = await channel.call('greet', undefined);
  waiting.abort(new RunStopped({ kind: 'superseded', message: 'Newer.' }));
  expect([answers, greeted, await waited]).toEqual([[2, 4, 6], undefined, 'superseded']);
  expect(await channel.call('wait', undefined, AbortSignal.abort())).toBe('aborted');
});

test('data that does not fit the method fails the call on either side, and nothing else', async () => {
  const { channel, ends } = open();
  await expect(channel.call('double', { of: 'two' } as never)).rejects.toThrow('expected number');
  await expect(channel.call('lie', undefined)).rejects.toThrow('expected number');
  await expect(channel.call('constructor' as never, undefined as never)).rejects.toThrow(
    'There is no method constructor.',
  );
  for (const odd of [null, 7, {}, { call: 1 }, { call: -1, name: 'double' }, { answer: 99, value: 1 }])
    ends[0].send?.(odd, undefined, {}, () => {});
  expect(await channel.call('double', { of: 4 })).toBe(8);
});

test("an error keeps its kind and GitHub's answer in transit, and nothing of the request", async () => {
  const { channel } = open();
  const caught = async (how: string): Promise<unknown> =>
    channel.call('fail', { how }).catch((error: unknown) => error);
  const [config, stopped, api, limited, caused] = await Promise.all(Object.keys(failures).map(caught));
  expect(config).toStrictEqual(failures.config);
  expect([config instanceof ConfigError, stopped instanceof RunStopped]).toEqual([true, true]);
  expect(stopped).toMatchObject({ reason: { kind: 'cancelled', message: 'Stopped by ada.' } });
  expect(api).toMatchObject({
    name: 'HttpError',
    status: 404,
    response: { status: 404, headers: { date: 'now' } },
  });
  expect(JSON.stringify([api, (api as Error).stack])).not.toMatch(/s3cret|https:/);
  expect([isOutage(api), isOutage(limited)]).toEqual([false, true]);
  expect(caused).toMatchObject({ name: 'TypeError', message: 'outer' });
  expect((caused as Error).cause).toStrictEqual(new ConfigError('inner', { key: 'x' }));
});

test('the end of the other process rejects waiting calls and aborts its requests', async () => {
  const { channel, close, began } = open();
  const signal = began();
  const waited = channel.call('wait', undefined);
  await signal;
  close();
  await expect(waited).rejects.toBeInstanceOf(ChannelClosed);
  await expect(channel.call('double', { of: 1 })).rejects.toBeInstanceOf(ChannelClosed);
  await channel.closed;
  expect((await signal).aborted).toBe(true);
});
