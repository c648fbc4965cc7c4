import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContentBudget, type WriteKind } from '../../src/github/content-budget.ts';
import { manualClock } from '../support/manual-clock.ts';
import { mostWithin } from '../support/most-within.ts';

const minute = 60_000;

/** Lets promises that are due go on. */
const settle = async () => {
  for (let round = 0; round < 5; round += 1) await Promise.resolve();
};

describe('the budget of writes', () => {
  it("never permits more than GitHub's limits per minute and hour, in any order of requests", async () => {
    const Steps = fc.array(
      fc.record({
        after: fc.integer({ min: 0, max: 5 * minute }),
        posts: fc.nat(60),
        progress: fc.nat(60),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(Steps, async (steps) => {
        const clock = manualClock();
        const budget = createContentBudget(clock);
        const times: number[] = [];
        const take = (kind: WriteKind) => void budget.take(kind).then(() => times.push(clock.now()));
        for (const { after, posts, progress } of steps) {
          for (let passed = 0; passed < after; passed += 1_000) {
            clock.advance(1_000);
            await settle();
          }
          for (let count = 0; count < posts; count += 1) take('post');
          for (let count = 0; count < progress; count += 1) take('progress');
          await settle();
        }
        expect(mostWithin(times, minute)).toBeLessThanOrEqual(80);
        expect(mostWithin(times, 60 * minute)).toBeLessThanOrEqual(500);
      }),
      { numRuns: 15 },
    );
  });

  it('lets posts go first and in order, and reserves space for expected ones', async () => {
    const clock = manualClock();
    const budget = createContentBudget(clock);
    const order: string[] = [];
    const take = (kind: WriteKind, name: string) => void budget.take(kind).then(() => order.push(name));
    for (let count = 1; count <= 12; count += 1) take('progress', `edit ${count}`);
    await settle();
    const edits = order.length;
    for (let count = 1; count <= 12; count += 1) take('post', `post ${count}`);
    await settle();
    const posts = order.slice(edits);
    clock.advance(1_000);
    await settle();
    clock.advance(1_000);
    await settle();
    clock.advance(9_000);
    await settle();
    expect({ edits, posts, later: order.slice(edits + posts.length) }).toEqual({
      edits: 10,
      posts: Array.from({ length: 10 }, (_, index) => `post ${index + 1}`),
      later: ['post 11', 'post 12'],
    });
    clock.advance(2_000);
    await settle();
    expect(order.at(-1)).toBe('edit 11');
  });

  it('stops waiting on abort without using a part of the budget', async () => {
    const clock = manualClock();
    const budget = createContentBudget(clock, [{ size: { capacity: 1, perMinute: 1 }, reserve: 0 }]);
    const giveUp = new AbortController();
    const taken = [budget.take('post'), budget.take('post', giveUp.signal), budget.take('progress')];
    giveUp.abort();
    clock.advance(minute);
    taken.push(budget.take('post', giveUp.signal));
    expect(await Promise.all(taken)).toEqual([true, false, true, false]);
  });
});
