import { expect, test } from 'vitest';
import { renderHover } from '../../../src/extensions/language/render-hover.ts';
import { severityFilter } from '../../../src/extensions/language/severity-filter.ts';

test.for([
  [{ contents: { kind: 'markdown', value: ' **one** ' } }, '**one**'],
  [{ contents: 'one&nbsp;two' }, 'one two'],
  [{ contents: { language: 'ts', value: 'let one' } }, '```ts\nlet one\n```'],
  [
    { contents: ['one', '', { language: 'ts', value: 'let one' }, { value: 2 }, 3, 'two'] },
    'one\n\n```ts\nlet one\n```\n\ntwo',
  ],
  [{ contents: [] }, ''],
  [{}, ''],
  [null, ''],
  ['text', ''],
] as const)('%j is shown as %j', ([result, text]) => {
  expect(renderHover(result as never)).toBe(text);
});

test('fifty parts of it are shown, and 20,000 characters', () => {
  const parts = Array.from({ length: 51 }, (_, index) => String(index));
  expect(renderHover({ contents: parts })).toBe(parts.slice(0, 50).join('\n\n'));
  expect([
    renderHover({ contents: 'x'.repeat(19_999) }),
    renderHover({ contents: `${'x'.repeat(20_000)}y` }),
  ]).toEqual(['x'.repeat(19_999), `${'x'.repeat(20_000)}\n[cut]`]);
});

test.for([
  [undefined, 'any'],
  [null, 'any'],
  ['', 'any'],
  ['all', 'any'],
  ['any', 'any'],
  ['error', 'error'],
  ['Errors', 'error'],
  ['WARNINGS', 'warning'],
  ['warning', 'warning'],
  ['Information', 'info'],
  ['info', 'info'],
  ['hints', 'hint'],
  ['hint', 'hint'],
] as const)('the severity %j is %s', ([given, severity]) => {
  expect(severityFilter.parse(given)).toBe(severity);
});

test.for(['infos', 'big errors', 'fatal', 1, ['error']])('%j is no severity', (given) => {
  expect(severityFilter.safeParse(given).success).toBe(false);
});
