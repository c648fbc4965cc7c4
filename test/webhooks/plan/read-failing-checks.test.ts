import nock from 'nock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import { readFailingChecks } from '../../../src/webhooks/plan/read-failing-checks.ts';

const api = 'https://api.test';
const place = { owner: 'acme', repo: 'shop' };
const sha = 'a'.repeat(40);
const read = () =>
  readFailingChecks(createOctokit({ apiUrl: api, token: 't', wait: async () => {} }), place, sha);
const check = (fields: object) => ({
  id: 7,
  name: 'unit',
  conclusion: 'failure',
  app: { slug: 'github-actions' },
  output: { title: 'Two failed', summary: null, annotations_count: 1 },
  ...fields,
});
const list = () => nock(api).get(`/repos/acme/shop/commits/${sha}/check-runs`).query(true);

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

test('a failed job has its annotations and the end of its log', async () => {
  list().reply(200, {
    total_count: 2,
    check_runs: [check({}), check({ id: 8, name: 'lint', conclusion: 'success' })],
  });
  nock(api)
    .get('/repos/acme/shop/check-runs/7/annotations')
    .query(true)
    .reply(200, [
      { path: 'a.ts', start_line: 3, annotation_level: 'failure', title: 'Test', message: 'expected 3' },
    ]);
  nock(api).get('/repos/acme/shop/actions/jobs/7/logs').reply(302, '', { location: 'https://logs.test/7' });
  const lines = Array.from({ length: 400 }, (_, index) => `2026-01-02T03:04:05.678Z line ${index}`);
  nock('https://logs.test').get('/7').reply(200, lines.join('\n'), { 'content-type': 'text/plain' });
  const tail = lines.slice(-120).map((line) => line.slice(line.indexOf(' ') + 1));
  expect(await read()).toEqual([
    {
      name: 'unit',
      conclusion: 'failure',
      text: ['Two failed', 'a.ts:3 failure Test expected 3', tail.join('\n')].join('\n\n'),
      scripts: [],
    },
  ]);
});

test('an unavailable log is omitted, and a token that may not read checks gives null', async () => {
  list().reply(200, {
    total_count: 1,
    check_runs: [
      check({ output: { title: 'Two failed', summary: 'x'.repeat(20_000), annotations_count: 0 } }),
    ],
  });
  nock(api).get('/repos/acme/shop/actions/jobs/7/logs').reply(410, {});
  expect((await read())?.map(({ text }) => text.length)).toEqual([12_000]);
  list().reply(403, { message: 'Resource not accessible by integration' });
  expect(await read()).toBeNull();
});
