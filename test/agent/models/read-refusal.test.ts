import { expect, it } from 'vitest';
import { readProviderRefusal } from '../../../src/agent/models/read-refusal.ts';

const read = (body: unknown) => {
  const { text: words, codes } = readProviderRefusal(typeof body === 'string' ? body : JSON.stringify(body));
  return { words, codes };
};

it.each<[title: string, body: unknown, words: string, codes: string[]]>([
  [
    'Anthropic’s error within its envelope',
    { type: 'error', error: { type: 'not_found_error', message: 'model: x' }, request_id: 'req_1' },
    'model: x',
    ['not_found_error'],
  ],
  [
    'the code before the type',
    {
      error: { message: 'No.', type: 'invalid_request_error', code: 'context_length_exceeded', param: null },
    },
    'No.',
    ['context_length_exceeded', 'invalid_request_error'],
  ],
  [
    'the words of the provider behind a router',
    {
      error: {
        message: 'It failed',
        code: 429,
        metadata: { provider_name: 'Hill', raw: 'busy at the hill' },
      },
    },
    'It failed (Hill: busy at the hill)',
    ['429'],
  ],
  [
    'an error that stands in another as JSON',
    { error: { message: '{"error":{"message":"deep","code":"content_filter"}}', code: 400 } },
    'deep',
    ['content_filter', '400'],
  ],
  [
    'a router that looks at contents itself',
    { error: { message: 'Flagged', code: 403, metadata: { reasons: ['violence'], flagged_input: 'x' } } },
    'Flagged (flagged: violence)',
    ['content_filter', '403'],
  ],
  [
    'Google’s list, with its reason',
    [
      {
        error: {
          code: 400,
          message: 'Bad key',
          status: 'INVALID_ARGUMENT',
          details: [{ reason: 'API_KEY_INVALID' }],
        },
      },
    ],
    'Bad key',
    ['API_KEY_INVALID', '400', 'INVALID_ARGUMENT'],
  ],
  ['an error that is a text', { error: "model 'x' not found" }, "model 'x' not found", []],
  ['a detail', { detail: 'Not Found' }, 'Not Found', []],
  ['a list of details', { detail: [{ loc: ['body'], msg: 'Field required' }] }, 'Field required', []],
  ['Amazon’s message', { Message: 'Denied' }, 'Denied', []],
  ['the title of a page', '<html><head><title>502 Bad Gateway</title></head></html>', '502 Bad Gateway', []],
  ['plain text', 'upstream\n  gone', 'upstream gone', []],
  ['nothing', '', '', []],
])('reads %s', (_, body, words, codes) => {
  expect(read(body)).toEqual({ words, codes });
});

it('errors are read up to a limited depth', () => {
  const deep = (depth: number): object => (depth === 0 ? { message: 'bottom' } : { error: deep(depth - 1) });
  expect([read(deep(2)).words, read(deep(50)).words]).toEqual(['bottom', '']);
});
