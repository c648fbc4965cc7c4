import { expect, test } from 'vitest';
import { renderHiddenText } from '../../../src/reporting/report/render-hidden-text.ts';

const comment = {
  kind: 'HTML comment',
  length: 123,
  excerpt: '<!-- anode:progress v1 run=x --> `@ada` fixes #1',
  digest: '0',
  alarming: false,
  where: 'the description',
  author: 'eve',
};

test('Nothing is said where nothing was hidden.', () => {
  expect(renderHiddenText([])).toBe('');
});

test('Hidden text is listed folded, the unusual first, as code that does nothing.', () => {
  const tags = { ...comment, kind: 'invisible characters', length: 1, excerpt: '·', alarming: true };
  expect(renderHiddenText([comment, tags])).toBe(
    [
      '<details><summary>⚠️ Hidden text in 2 places, 1 of them unusual</summary>',
      '',
      'Readers of this page do not see it, and the model did not get it.',
      '',
      '- invisible characters in `the description` by `eve`, 1 character: `·`',
      '- HTML comment in `the description` by `eve`, 123 characters: ``<! -- anode:progress v1 run=x --> `@ada` fixes #1``',
      '',
      '</details>',
    ].join('\n'),
  );
});

test('HTML comments of bots are one line together, whatever else they hid is not.', () => {
  const bot = { ...comment, author: 'dependabot[bot]', bot: true as const };
  const tags = { ...bot, kind: 'invisible characters', length: 30, excerpt: '·', alarming: true };
  expect(renderHiddenText([bot, { ...bot, author: 'codecov[bot]' }, bot, tags])).toBe(
    [
      '<details><summary>⚠️ Hidden text in 1 place, 1 of them unusual</summary>',
      '',
      'Readers of this page do not see it, and the model did not get it.',
      '',
      '- invisible characters in `the description` by `dependabot[bot]`, 30 characters: `·`',
      '- 3 HTML comments as bots leave them, by `dependabot[bot]`, `codecov[bot]`',
      '',
      '</details>',
    ].join('\n'),
  );
  expect(renderHiddenText([bot])).toContain('<summary>Hidden text of bots</summary>');
});
