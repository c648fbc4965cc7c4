import { expect, test } from 'vitest';
import { readApiFailure } from '../../../src/reporting/posting/api-failure.ts';

const named = (name: string, more: object) => Object.assign(new Error('m'), { name, ...more });

test('an answer of GitHub is told from a defect', () => {
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
