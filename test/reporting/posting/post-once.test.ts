import { expect, test } from 'vitest';
import { readApiFailure } from '../../../src/reporting/posting/api-failure.ts';
import { claimsOn, forgetClaims, postOnce } from '../../../src/reporting/posting/post-once.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';

const answer = (status: number) => Object.assign(new Error(`status ${status}`), { status });

/** A thing on the other side, and how making it goes wrong. */
function remote(...faults: (Error | 'lost')[]) {
  const made: string[] = [];
  let looks = 0;
  return {
    find: async () => {
      looks += 1;
      return made[0] ?? null;
    },
    make: async () => {
      const fault = faults.shift();
      if (fault instanceof Error) throw fault;
      made.push('thing');
      if (fault === 'lost') throw answer(500);
      return 'thing';
    },
    /** As somebody else makes it. */
    put: () => void made.push('thing'),
    state: () => ({ made: made.length, looks }),
  };
}

test('returns an existing thing, and creates a missing one once', async () => {
  const side = remote();
  expect([await postOnce(side.find, side.make), await postOnce(side.find, side.make), side.state()]).toEqual([
    'thing',
    'thing',
    { made: 1, looks: 2 },
  ]);
});

test('looks again after a lost answer before it creates another', async () => {
  const lost = remote('lost');
  const failed = remote(answer(502));
  await postOnce(lost.find, lost.make);
  await postOnce(failed.find, failed.make);
  expect([lost.state(), failed.state()]).toEqual([
    { made: 1, looks: 2 },
    { made: 1, looks: 2 },
  ]);
});

test('treats refusals and defects as final, but looks again after "already exists"', async () => {
  const refused = remote(answer(403));
  const exists = remote(answer(422));
  await expect(postOnce(exists.find, exists.make)).rejects.toThrow('status 422');
  exists.put();
  const defect = remote(new TypeError('ours'));
  await expect(postOnce(refused.find, refused.make)).rejects.toThrow('status 403');
  await expect(postOnce(defect.find, defect.make)).rejects.toThrow('ours');
  expect([refused.state(), defect.state(), await postOnce(exists.find, exists.make), exists.state()]).toEqual(
    [{ made: 0, looks: 1 }, { made: 0, looks: 1 }, 'thing', { made: 1, looks: 3 }],
  );
});

test('distinguishes answers of REST and GraphQL from defects', () => {
  const graphql = Object.assign(new Error('stale'), {
    name: 'GraphqlResponseError',
    errors: [{ type: 'STALE_DATA', message: 'stale' }, { message: 'untyped' }],
  });
  const withPage = Object.assign(new Error('Not Found - https://docs.github.com/rest'), { status: 404 });
  const silent = Object.assign(new Error('Failed.'), { name: 'GraphqlResponseError', errors: [{}] });
  expect([answer(404), withPage, graphql, silent, new Error('x')].map(readApiFailure)).toEqual([
    { status: 404, message: 'status 404', types: [] },
    { status: 404, message: 'Not Found', types: [] },
    { status: 200, message: 'stale\nuntyped', types: ['STALE_DATA'] },
    { status: 200, message: 'Failed.', types: [] },
    null,
  ]);
});

test('creates a thing once with concurrent publishers, also if one dies', async () => {
  const store = createMemoryStateStore();
  const plan = { run_id: 'run_1' };
  const slow = remote();
  const started = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const first = postOnce(
    slow.find,
    async () => {
      started.resolve();
      await goOn.promise;
      return slow.make();
    },
    claimsOn('thing', plan, { store, wait: async () => {} }),
  );
  await started.promise;
  const waits: number[] = [];
  const second = postOnce(
    slow.find,
    slow.make,
    claimsOn('thing', plan, {
      store,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
        goOn.resolve();
        await first;
      },
    }),
  );
  const died = remote();
  await store.claim('making/run_2/thing/1', 'by one that is gone');
  const lateWaits: number[] = [];
  const wait = async (milliseconds: number) => void lateWaits.push(milliseconds);
  const late = await postOnce(died.find, died.make, claimsOn('thing', { run_id: 'run_2' }, { store, wait }));
  expect([await first, await second, slow.state().made, waits, late, died.state(), lateWaits]).toEqual([
    'thing',
    'thing',
    1,
    [500],
    'thing',
    { made: 1, looks: 5 },
    [500, 1500, 4000],
  ]);
  await forgetClaims({ run_id: 'run_2' }, { store });
  expect(await store.list('making/')).toEqual(['making/run_1/thing/1']);
});
