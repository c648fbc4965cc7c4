import { expect, test } from 'vitest';
import { createTurns } from '../../../src/app/deliveries/delivery-processes.ts';

test('a limited number of calls run at once, and the others follow, also after a failure', async () => {
  const inTurn = createTurns(2);
  const log: string[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const all = ends.map(({ promise }, index) =>
    inTurn(async () => {
      log.push(`begin ${index}`);
      await promise;
    }),
  );
  ends[1]?.reject(new Error('odd'));
  await expect(all[1]).rejects.toThrow('odd');
  log.push('one failed');
  for (const { resolve } of ends) resolve();
  await Promise.allSettled(all);
  expect(log).toEqual(['begin 0', 'begin 1', 'begin 2', 'one failed', 'begin 3']);
  await inTurn(async () => {});
});
