import { expect, test } from 'vitest';
import { readApiFailure } from '../../src/reporting/api-failure.ts';
import { postOnce } from '../../src/reporting/post-once.ts';

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
    state: () => ({ made: made.length, looks }),
  };
}

test('What is there is taken, what is not is made, once.', async () => {
  const side = remote();
  expect([await postOnce(side.find, side.make), await postOnce(side.find, side.make), side.state()]).toEqual([
    'thing',
    'thing',
    { made: 1, looks: 2 },
  ]);
});

test('After a lost answer it looks again before it makes another.', async () => {
  const lost = remote('lost');
  const failed = remote(answer(502));
  await postOnce(lost.find, lost.make);
  await postOnce(failed.find, failed.make);
  expect([lost.state(), failed.state()]).toEqual([
    { made: 1, looks: 2 },
    { made: 1, looks: 2 },
  ]);
});

test('A refusal is final, and so is a defect.', async () => {
  const refused = remote(answer(422));
  const defect = remote(new TypeError('ours'));
  await expect(postOnce(refused.find, refused.make)).rejects.toThrow('status 422');
  await expect(postOnce(defect.find, defect.make)).rejects.toThrow('ours');
  expect([refused.state(), defect.state()]).toEqual([
    { made: 0, looks: 1 },
    { made: 0, looks: 1 },
  ]);
});

test('Answers of REST and GraphQL are told from defects by what they carry.', () => {
  const graphql = Object.assign(new Error('stale'), {
    name: 'GraphqlResponseError',
    errors: [{ type: 'STALE_DATA', message: 'stale' }, { message: 'untyped' }],
  });
  expect([readApiFailure(answer(404)), readApiFailure(graphql), readApiFailure(new Error('x'))]).toEqual([
    { status: 404, message: 'status 404', types: [] },
    { status: 200, message: 'stale', types: ['STALE_DATA'] },
    null,
  ]);
});
