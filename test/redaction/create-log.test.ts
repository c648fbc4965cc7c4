import { expect, test } from 'vitest';
import { createLog } from '../../src/redaction/create-log.ts';

/** The lines that a log writes, without their times. */
function logged(
  write: (log: ReturnType<typeof createLog>) => void,
  secrets: readonly string[] = [],
  level: Parameters<typeof createLog>[0] = 'info',
) {
  const lines: string[] = [];
  write(createLog(level, { write: (line: string) => void lines.push(line) }, secrets));
  return lines.map((line) => {
    const { time, ...rest } = JSON.parse(line);
    expect(typeof time).toBe('number');
    return rest;
  });
}

test('writes one JSON object per line from the given level on, without the host', () => {
  expect(
    logged((log) => {
      log.debug('not this');
      log.info({ a: 1 }, 'this');
      log.warn('that');
    }),
  ).toEqual([
    { level: 30, a: 1, msg: 'this' },
    { level: 40, msg: 'that' },
  ]);
});

test('the level can be lower or higher', () => {
  const all = (level: 'debug' | 'warn') =>
    logged(
      (log) => {
        log.debug('a');
        log.info('b');
        log.warn('c');
      },
      [],
      level,
    ).map(({ msg }) => msg);
  expect([all('debug'), all('warn')]).toEqual([['a', 'b', 'c'], ['c']]);
});

test.each([
  'token',
  'privateKey',
  'webhookSecret',
  'authorization',
  'secret',
  'password',
])('a field %s is redacted down to two levels', (name) => {
  expect(logged((log) => log.info({ [name]: 'x', a: { [name]: 'x', b: { [name]: 'x', kept: 1 } } }))).toEqual(
    [{ level: 30, [name]: '[redacted]', a: { [name]: '[redacted]', b: { [name]: '[redacted]', kept: 1 } } }],
  );
});

test('an error is logged with name, message, status and causes only', () => {
  const cause = Object.assign(new TypeError('inner'), { status: 'odd' });
  const error = Object.assign(new Error('outer', { cause }), { status: 404, request: { url: 'hidden' } });
  expect(
    logged((log) => {
      log.error({ err: error }, 'Failed.');
      log.error({ err: 'words' }, 'Failed.');
    }),
  ).toEqual([
    {
      level: 50,
      err: {
        ...{ name: 'Error', message: 'outer', status: 404, stack: error.stack },
        cause: { name: 'TypeError', message: 'inner', stack: cause.stack },
      },
      msg: 'Failed.',
    },
    { level: 50, err: 'words', msg: 'Failed.' },
  ]);
});

test('no field, name or message of a line has a secret', () => {
  const secret = 'kR7vX2mQ9-tB4wZ_8pL3nD6';
  const write = (log: ReturnType<typeof createLog>) =>
    log.info({ [secret]: 1, list: [{ at: `in ${secret}` }] }, `the ${secret}`);
  expect(logged(write, [secret])).toEqual([
    { level: 30, '[redacted]': 1, list: [{ at: 'in [redacted]' }], msg: 'the [redacted]' },
  ]);
});
