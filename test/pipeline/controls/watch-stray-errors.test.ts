import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchStrayErrors } from '../../../src/pipeline/controls/watch-stray-errors.ts';

/** A watched process, with what was told and done of it, and a clock that stands still until it is moved on. */
function watched() {
  const source = new EventEmitter();
  const stopped = new AbortController();
  const reported: unknown[] = [];
  const exits: number[] = [];
  const timers: { readonly at: number; readonly act: () => void }[] = [];
  let now = 0;
  const isBroken = watchStrayErrors(source as unknown as NodeJS.Process, () => stopped, {
    report: (error) => void reported.push(error),
    exit: () => void exits.push(now),
    later: (act, milliseconds) => void timers.push({ at: now + milliseconds, act }),
  });
  const pass = (milliseconds: number) => {
    const from = now;
    now += milliseconds;
    for (const { at, act } of timers) if (at > from && at <= now) act();
  };
  return { source, stopped, reported, exits, isBroken, pass };
}

test('the first uncaught error stops the run with its message, and each one is reported', () => {
  const { source, stopped, reported, isBroken } = watched();
  const [first, second] = [new RangeError('a stray defect'), new Error('another')];
  const before = isBroken();
  source.emit('uncaughtException', first);
  source.emit('uncaughtException', second);
  expect({ before, after: isBroken(), reported, reason: stopped.signal.reason.reason }).toEqual({
    ...{ before: false, after: true, reported: [first, second] },
    reason: {
      kind: 'internal_error',
      message: 'Anode CI itself failed: RangeError: a stray defect. What the run did before is kept.',
    },
  });
  expect(stopped.signal.reason.cause).toBe(first);
});

test('the process ends two minutes after the first uncaught error, once', () => {
  const { source, exits, pass } = watched();
  pass(300_000);
  source.emit('uncaughtException', new Error('first'));
  pass(119_999);
  source.emit('uncaughtException', new Error('second'));
  expect(exits).toEqual([]);
  pass(1);
  expect(exits).toEqual([420_000]);
  pass(300_000);
  expect(exits).toEqual([420_000]);
});
