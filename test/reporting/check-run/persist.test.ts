import { RequestError } from '@octokit/request-error';
import { expect, test } from 'vitest';
import { persist } from '../../../src/reporting/check-run/persist.ts';

const error = (status: number) =>
  new RequestError(`answered ${status}`, status, {
    request: { method: 'POST', url: 'https://api.test', headers: {} },
  });

/** What came of calls of which those that `answers` names fail. */
async function trying(answers: readonly (number | Error)[], waits?: readonly number[]) {
  const told: unknown[] = [];
  const log = { warn: (facts: object, words: string) => told.push([facts, words]) };
  const wait = async (milliseconds: number) => told.push(milliseconds);
  let calls = 0;
  const taken = await persist(
    'the check',
    { run_id: 'r' },
    { log: log as never, wait, ...(waits && { waits }) },
    async (again) => {
      const answer = answers[calls++];
      if (typeof answer === 'number') throw error(answer);
      if (answer !== undefined) throw answer;
      return again;
    },
  );
  return [taken, ...told];
}
const logged = (status: number) => [
  { run: 'r', status, message: `answered ${status}` },
  'the check was not taken',
];

test.each([
  ['is taken at once', [], undefined, [{ done: false }]],
  ['is taken the second time', [502], undefined, [{ done: true }, 1_000]],
  ['is taken the fourth time', [502, 500, 503], undefined, [{ done: true }, 1_000, 4_000, 15_000]],
  ['is not taken four times', [502, 502, 502, 502], undefined, ['down', 1_000, 4_000, 15_000, logged(502)]],
  ['may be tried once', [503], [], ['down', logged(503)]],
  ['is refused', [403], undefined, ['refused', logged(403)]],
  ['is refused once GitHub is up again', [500, 422], [7], ['refused', 7, logged(422)]],
])('A write that %s', async (_, answers, waits, came) => {
  expect(await trying(answers, waits)).toEqual(came);
});

test('A defect is thrown and not tried again.', async () => {
  const defect = new TypeError('x is not a function');
  await expect(trying([defect])).rejects.toBe(defect);
});
