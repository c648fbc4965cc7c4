import { expect, test } from 'vitest';
import { detectSilence } from '../../../src/app/deliveries/detect-silence.ts';

/** A watch over a silence of 12 s, whose clock is moved on by hand. */
function watched() {
  const answers: PromiseWithResolvers<void>[] = [];
  const log: string[] = [];
  let tick = (): void => {};
  const { stop } = detectSilence(
    () => {
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    12_000,
    () => log.push('lost'),
    (act, milliseconds) => {
      tick = act;
      log.push(`every ${milliseconds} ms`);
      return () => log.push('stopped');
    },
  );
  const pass = async (ticks: number): Promise<void> => {
    for (let count = 0; count < ticks; count += 1) tick();
    // Whatever was answered is known then.
    await new Promise(setImmediate);
  };
  return { answers, log, pass, stop };
}

test('a process that answers late is not lost, and is asked once at a time', async () => {
  const { answers, log, pass, stop } = watched();
  for (let count = 1; count <= 5; count += 1) {
    await pass(12);
    answers.at(-1)?.resolve();
    await pass(0);
  }
  answers.at(-1)?.reject(new Error('also an answer'));
  stop();
  expect([answers.length, log]).toEqual([5, ['every 1000 ms', 'stopped']]);
});

test('a process that does not answer for the whole time is lost, once', async () => {
  const { log, pass } = watched();
  await pass(12);
  expect(log).toEqual(['every 1000 ms']);
  await pass(1);
  expect(log).toEqual(['every 1000 ms', 'stopped', 'lost']);
});
