import { expect, test } from 'vitest';
import { redactTexts } from '../../src/github/redact-texts.ts';

const redact = (text: string) => text.replaceAll('key', '***');

test.each<[what: string, request: object, sent: object]>([
  ['a comment', { url: '/comments', body: 'my key' }, { url: '/comments', body: 'my ***' }],
  [
    'an issue',
    { title: 'key', body: 'key', labels: ['key'] },
    { title: '***', body: '***', labels: ['key'] },
  ],
  [
    'a review with comments on lines',
    { body: 'key', comments: [{ path: 'key.ts', line: 1, body: 'key' }] },
    { body: '***', comments: [{ path: 'key.ts', line: 1, body: '***' }] },
  ],
  [
    'a check run',
    {
      name: 'key',
      output: { title: 'key', summary: 'key', text: 'key', annotations: [{ path: 'key', message: 'key' }] },
    },
    {
      name: 'key',
      output: { title: '***', summary: '***', text: '***', annotations: [{ path: 'key', message: '***' }] },
    },
  ],
  [
    'a commit status',
    { state: 'failure', context: 'key', description: 'key' },
    { state: 'failure', context: 'key', description: '***' },
  ],
  ['a dismissed review', { review_id: 1, message: 'key' }, { review_id: 1, message: '***' }],
  [
    'a commit, but not its files',
    {
      variables: {
        input: {
          message: { headline: 'key', body: 'key' },
          fileChanges: { additions: [{ path: 'a', contents: 'key', body: 'key' }] },
        },
      },
    },
    {
      variables: {
        input: {
          message: { headline: '***', body: '***' },
          fileChanges: { additions: [{ path: 'a', contents: 'key', body: 'key' }] },
        },
      },
    },
  ],
  [
    'no settings of the client',
    { headers: { message: 'key' }, request: { message: 'key' } },
    { headers: { message: 'key' }, request: { message: 'key' } },
  ],
  [
    'no description of a pull request, which is its author’s',
    { url: '/repos/{owner}/{repo}/pulls/{pull_number}', body: 'key' },
    { url: '/repos/{owner}/{repo}/pulls/{pull_number}', body: 'key' },
  ],
])('the texts are redacted of %s', (_, request, sent) => {
  redactTexts(request, redact);
  expect(request).toEqual(sent);
});
