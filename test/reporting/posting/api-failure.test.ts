import { expect, test } from 'vitest';
import { createAttempt, readApiFailure } from '../../../src/reporting/posting/api-failure.ts';
import { samplePlan } from '../samples.ts';
import { apiError } from '../thread/thread-world.ts';

const named = (name: string, more: object) => Object.assign(new Error('m'), { name, ...more });

test('distinguishes GitHub’s answers from defects', () => {
  expect(
    [
      named('HttpError', { status: 422 }),
      named('HttpError', { status: '422' }),
      named('GraphqlResponseError', {
        errors: [{ type: 'STALE_DATA' }, { type: 1 }, {}, null, 'words', { type: 'FORBIDDEN' }],
      }),
      named('GraphqlResponseError', { errors: 'none' }),
      named('GraphqlResponseError', {}),
      named('Error', { errors: [] }),
      { status: 422, message: 'm' },
      'words',
      null,
    ].map(readApiFailure),
  ).toEqual([
    { status: 422, message: 'm', types: [] },
    null,
    { status: 200, message: 'm', types: ['STALE_DATA', 'FORBIDDEN'] },
    ...[null, null, null, null, null, null],
  ]);
});

test('reports a failure in a sentence, and throws outages and defects if the caller retries', async () => {
  const attempt = async (error: Error, more: object = {}) => {
    const logged: unknown[] = [];
    const failures: string[] = [];
    const log = { info: () => {}, warn: (...line: unknown[]) => void logged.push(line) };
    const attempts = createAttempt(samplePlan(), { log, ...more }, failures);
    return [await attempts('The label', async () => Promise.reject(error)), failures, logged];
  };
  const defects: string[] = [];
  const onDefect = (told: string) => void defects.push(told);
  const words = 'The label could not be finished for a defect of Anode CI itself. Its log has the cause.';
  const ours = new Error('ours');
  expect([
    await attempt(apiError(403, `No\n@ada ${'x'.repeat(500)}`)),
    await attempt(apiError(503, 'Down')),
    await attempt(ours, { onDefect }),
    await attempt(apiError(403, 'No'), { triedAgain: true, onDefect }),
  ]).toEqual([
    [
      null,
      [`The label could not be posted: No @\u200bada ${'x'.repeat(390)}…`],
      [[{ run: 'run_1', status: 403, message: `No\n@ada ${'x'.repeat(500)}` }, 'not posted']],
    ],
    [
      null,
      ['The label could not be posted: Down'],
      [[{ run: 'run_1', status: 503, message: 'Down' }, 'not posted']],
    ],
    [null, [words], [[{ run: 'run_1', err: ours }, 'not finished, for a defect']]],
    [
      null,
      ['The label could not be posted: No'],
      [[{ run: 'run_1', status: 403, message: 'No' }, 'not posted']],
    ],
  ]);
  expect(defects).toEqual([words]);
  await expect(attempt(apiError(503, 'Down'), { triedAgain: true })).rejects.toThrow('Down');
  await expect(attempt(ours)).rejects.toThrow('ours');
});
