import { expect, test } from 'vitest';
import { proveAll, type Trial } from '../../../src/checks/proof/prove-all.ts';

/** Proves letters against a check that fails with any group of `breaks`; the groups tried, and what came of it. */
async function prove(
  changes: string,
  breaks: (group: string) => boolean,
  given: { singles?: number; trials?: number; edit?: string; collide?: string } = {},
) {
  const groups: string[] = [];
  const results = await proveAll([...changes], {
    trial: async (group): Promise<Trial> => {
      groups.push(group.join(''));
      return breaks(group.join('')) ? { result: 'failed', said: 'No.' } : { result: 'passed', said: 'Yes.' };
    },
    collide: (a, b) => given.collide?.includes(a) === true && given.collide.includes(b),
    belongs: (change) => given.edit?.includes(change) === true,
    singles: given.singles ?? 2,
    trials: given.trials ?? 20,
  });
  return {
    groups,
    results: Object.fromEntries([...results].map(([name, { result, said }]) => [name, `${result}: ${said}`])),
  };
}

test('the first ones are tried one by one, and the others as a group, in halves if it fails', async () => {
  expect(await prove('abcdef', (group) => group.includes('b') || group.includes('e'))).toEqual({
    groups: ['', 'a', 'b', 'cdef', 'cd', 'ef', 'e', 'f'],
    results: {
      a: 'passed: Yes.',
      b: 'failed: No.',
      c: 'passed: Yes. It was checked together with 1 more.',
      d: 'passed: Yes. It was checked together with 1 more.',
      e: 'failed: No.',
      f: 'passed: Yes.',
    },
  });
});

test('if the check fails without any change, nothing is tried', async () => {
  expect(await prove('ab', () => true)).toEqual({
    groups: [''],
    results: {
      a: 'not_run: fails without the change, too.',
      b: 'not_run: fails without the change, too.',
    },
  });
  expect(await prove('', () => true)).toEqual({ groups: [], results: {} });
});

test('parts of one edit that only pass together have passed, with a notice', async () => {
  const halves = (group: string) => group.includes('a') !== group.includes('b');
  expect(await prove('ab', halves, { edit: 'ab' })).toEqual({
    groups: ['', 'a', 'b', 'ab'],
    results: {
      a: 'passed: Yes. That takes all 2 changes together: alone it does not.',
      b: 'passed: Yes. That takes all 2 changes together: alone it does not.',
    },
  });
  expect((await prove('ab', halves)).results).toEqual({ a: 'failed: No.', b: 'failed: No.' });
});

test('overlapping suggestions are not tried together, and none is tried beyond the limit', async () => {
  expect(await prove('abc', () => false, { singles: 0, collide: 'ab' })).toEqual({
    groups: ['', 'ac', 'b'],
    results: {
      a: 'passed: Yes. It was checked together with 1 more.',
      b: 'passed: Yes.',
      c: 'passed: Yes. It was checked together with 1 more.',
    },
  });
  expect(await prove('ab', () => false, { trials: 2 })).toEqual({
    groups: ['', 'a'],
    results: { a: 'passed: Yes.', b: 'not_run: There was no time left to check it.' },
  });
});
