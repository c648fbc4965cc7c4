import { expect, test } from 'vitest';
import { isOutage } from '../../src/github/api-errors.ts';

/** As Octokit throws them: `RequestError`, and `GraphqlResponseError` for errors in an answer. */
const failed = (status: number, headers: Record<string, string> = {}, message = 'No.') =>
  Object.assign(new Error(message), { status, response: { status, headers } });
const graphql = (more: object) => Object.assign(new Error('No.'), { errors: [{ message: 'No.', ...more }] });

test.each([
  ['a server error', failed(503)],
  ['a lost connection', Object.assign(new Error('socket hang up'), { status: 500 })],
  ['429', failed(429)],
  ['403 with a time to come back', failed(403, { 'retry-after': '3600' })],
  ['403 with nothing left', failed(403, { 'x-ratelimit-remaining': '0' })],
  ['403 that says so in words', failed(403, {}, 'You have exceeded a secondary rate limit.')],
  ['a GraphQL answer of that type', graphql({ type: 'RATE_LIMITED' })],
  ['a GraphQL answer of the type seen of late', graphql({ type: 'RATE_LIMIT' })],
  ['a GraphQL answer that names no kind', graphql({})],
])('a temporary error is an outage: %s', (_, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ['403', failed(403, { 'x-ratelimit-remaining': '4999' }, 'Resource not accessible by integration')],
  ['a locked thread', failed(403, {}, 'Unable to create comment because issue is locked.')],
  ['404', failed(404)],
  ['422', failed(422)],
  ['a GraphQL answer of another type', graphql({ type: 'FORBIDDEN' })],
  ['a query that is no good', graphql({ extensions: { code: 'undefinedField' } })],
  ['a defect', new TypeError('status')],
  ['no error', { status: 503 }],
])('a permanent error is none: %s', (_, error) => {
  expect(isOutage(error)).toBe(false);
});
