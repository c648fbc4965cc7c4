import { expect, test } from 'vitest';
import { decodeError, ErrorMessage, encodeError } from '../../src/channel/error-message.ts';
import { ConfigError, RunStopped } from '../../src/contract/errors.ts';

/** The same error without its stack, which differs by machine. */
const bare = <Kind extends Error>(error: Kind, more: object = {}): Kind =>
  Object.assign(error, { stack: undefined, ...more });

test('an error becomes plain data by its class, without the request of an API error', () => {
  const stopped = { kind: 'cancelled', message: 'Stopped by ada.' } as const;
  const response = { status: 404, headers: { date: 'now' } };
  expect(
    [
      'words',
      null,
      Object.assign(new TypeError('a'), { stack: 'TypeError: a at b' }),
      bare(new ConfigError('c', { file: 'anode.yml', key: 'model' })),
      bare(new RunStopped(stopped)),
      bare(new Error('d'), { status: 404, request: { url: 'u' }, response: { ...response, data: 'x' } }),
      bare(new Error('e'), { errors: [{ type: 'RATE_LIMITED' }] }),
      bare(new Error('f'), { status: '404', response: { status: 'x' }, errors: 'none' }),
      bare(new Error('g'), { response: undefined }),
      bare(new Error('h', { cause: 'words' })),
    ].map((error) => encodeError(error)),
  ).toStrictEqual([
    { name: 'Error', message: 'words' },
    { name: 'Error', message: 'null' },
    { name: 'TypeError', message: 'a', stack: 'TypeError: a at b' },
    { name: 'ConfigError', message: 'c', config: { file: 'anode.yml', key: 'model' } },
    { name: 'RunStopped', message: 'Stopped by ada.', stopped },
    { name: 'Error', message: 'd', api: { status: 404, response } },
    { name: 'Error', message: 'e', api: { errors: [{ type: 'RATE_LIMITED' }] } },
    { name: 'Error', message: 'f' },
    { name: 'Error', message: 'g' },
    { name: 'Error', message: 'h', cause: { name: 'Error', message: 'words' } },
  ]);
});

test('five causes are included', () => {
  let error = new Error('0');
  for (let depth = 1; depth < 8; depth += 1) error = new Error(String(depth), { cause: error });
  const messages: string[] = [];
  for (let at: ErrorMessage | undefined = encodeError(error); at !== undefined; at = at.cause)
    messages.push(at.message);
  expect(messages).toEqual(['7', '6', '5', '4', '3', '2']);
});

test("an error is restored with its class, its stack, its cause and GitHub's answer", () => {
  const back = (error: unknown) =>
    decodeError(ErrorMessage.parse(JSON.parse(JSON.stringify(encodeError(error)))));
  const cause = new ConfigError('inner', { key: 'x' });
  const api = { status: 502, response: { status: 502, headers: { date: 'now' } }, errors: ['later'] };
  const errors = [
    new ConfigError('a', { file: 'f' }, { cause }),
    new ConfigError('a', {}),
    new RunStopped({ kind: 'superseded', message: 'Newer.' }, { cause }),
    Object.assign(new TypeError('b', { cause }), api),
    Object.assign(new Error('c'), { name: 'HttpError' }),
  ];
  const told = (error: Error): object => {
    const { name, message, stack, cause: below } = error;
    return { ...error, name, message, stack, below: below instanceof Error ? told(below) : 'cause' in error };
  };
  expect(errors.map(back).map(told)).toStrictEqual(errors.map(told));
  expect(errors.map((error) => back(error).constructor.name)).toEqual([
    ...['ConfigError', 'ConfigError', 'RunStopped', 'Error', 'Error'],
  ]);
  expect(back(bare(new Error('d'))).stack).toMatch(/^Error: d\n/);
});
