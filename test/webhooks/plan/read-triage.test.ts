import nock from 'nock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOctokit } from '../../../src/github/create-octokit.ts';
import type { Trigger } from '../../../src/webhooks/commands/trigger.ts';
import { readTriage } from '../../../src/webhooks/plan/read-triage.ts';

const api = 'https://api.test';
const repository: Trigger['repository'] = { owner: 'acme', name: 'shop' };

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

/** What the triage of thread 7 is told, whose pull request changes these files. */
async function told(kind: Trigger['thread']['kind'], names: readonly string[]): Promise<string[]> {
  const get = (path: string) => nock(api).get(`/repos/acme/shop/${path}`).query(true);
  get('labels').reply(200, [{ name: 'ui', description: null }]);
  get('issues').reply(200, []);
  get('pulls/7/files').reply(
    200,
    names.map((filename) => ({ filename, additions: 2, deletions: 1 })),
  );
  const octokit = createOctokit({ apiUrl: api, token: 't', wait: async () => {} });
  const thread = { kind, number: 7 };
  const words = { title: '', body: '' };
  const read = await readTriage(octokit, { repository, thread }, { ...words, settings: {} }, (text) =>
    text.replaceAll('HIDDEN', ''),
  );
  return read.text.split('\n');
}

test('triage of a pull request gets its changed files up to a limit, and of an issue none', async () => {
  const rest = ['Labels of this repository:', '- ui', '', 'No other thread looks alike.'];
  expect(await told('pull_request', ['web/aHIDDEN.css', 'b\nc.ts'])).toEqual([
    ...['Files that it changes:', '- web/a.css (+2 −1)', '- b c.ts (+2 −1)', ''],
    ...rest,
  ]);
  const many = await told(
    'pull_request',
    Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(300)}`),
  );
  expect([many[0], many[100]?.length, many.length]).toEqual([
    'Files that it changes (the first 100, there may be more):',
    2 + 200 + ' (+2 −1)'.length,
    106,
  ]);
  expect(await told('issue', ['a.ts'])).toEqual(rest);
});
