import { expect, test } from 'vitest';
import {
  type CommitStyle,
  learnCommitStyle,
  plainStyle,
} from '../../../src/reporting/changes/commit-style.ts';
import { type Headline, styleHeadline } from '../../../src/reporting/changes/style-headline.ts';
import { workTypeOf } from '../../../src/reporting/changes/work-type.ts';
import { histories } from './histories.ts';

const style = (name: keyof typeof histories): CommitStyle => learnCommitStyle(histories[name]);
const headline = (words: string, more: Partial<Headline> = {}): Headline => ({
  words,
  files: ['src/ranges.ts'],
  implements: false,
  sources: [],
  ...more,
});

test('The style of a history is learnt: prefixes, gitmoji, tickets, areas, capitals and length.', () => {
  const brief = (subjects: readonly string[]) => {
    const { form, emoji, types, areas, ticketKeys, ticketForm, capital, stop, length } =
      learnCommitStyle(subjects);
    return [form, emoji, types[0], areas[0], ticketKeys[0], ticketForm, capital, stop, length];
  };
  expect(
    Object.fromEntries(Object.entries(histories).map(([name, subjects]) => [name, brief(subjects)])),
  ).toEqual({
    packages: ['conventional', 'none', 'fix', '@harbour/router', undefined, '', false, false, 72],
    search: ['conventional', 'none', 'docs', undefined, undefined, '', true, false, 50],
    marks: ['plain', 'character', undefined, undefined, undefined, '', true, false, 50],
    tickets: ['ticket', 'none', undefined, undefined, 'KEEPER', '%: ', true, false, 72],
    areas: ['area', 'none', undefined, 'lint/checks/loops', undefined, '', false, false, 72],
    requests: ['plain', 'none', undefined, undefined, undefined, '', true, false, 50],
    sentences: ['plain', 'none', undefined, undefined, undefined, '', true, false, 72],
  });
});

test('A headline is put in the style of each history.', () => {
  const words = 'Keep the later end when merging ranges';
  expect([
    styleHeadline(headline(words, { files: ['packages/harbour/router/src/a.ts'] }), style('packages')),
    styleHeadline(headline(words, { files: ['scripts/x.js'] }), style('packages')),
    styleHeadline(headline(words), style('marks')),
    styleHeadline(headline(words, { sources: ['Ranges (KEEPER-41, HTTP-2)'] }), style('tickets')),
    styleHeadline(headline(words, { sources: ['Ranges'] }), style('tickets')),
    styleHeadline(
      headline(words, { files: ['refactor/inline/call.go', 'refactor/inline/call_test.go'] }),
      style('areas'),
    ),
    styleHeadline(headline(words), style('requests')),
  ]).toEqual([
    'fix(@harbour/router): keep the later end when merging ranges',
    'fix: keep the later end when merging ranges',
    '🐛 Keep the later end when merging ranges',
    'KEEPER-41: Keep the later end when merging ranges',
    'Keep the later end when merging ranges',
    'refactor/inline: keep the later end when merging ranges',
    'Keep the later end when merging ranges',
  ]);
});

test('A prefix that the words have goes where the style has none, and stays as the style writes it.', () => {
  const stated = headline('feature(dates): Support week numbers');
  expect([
    styleHeadline(stated, plainStyle),
    styleHeadline(stated, style('packages')),
    styleHeadline(stated, { ...plainStyle, form: 'conventional', types: ['feature'], capital: false }),
    styleHeadline(headline('GraphQL answers are kept.'), { ...plainStyle, capital: false, stop: true }),
    styleHeadline(headline('npm: take the lock file'), plainStyle),
  ]).toEqual([
    'Support week numbers',
    'feat: support week numbers',
    'feature: support week numbers',
    'GraphQL answers are kept.',
    'Npm: take the lock file',
  ]);
});

test('No headline is longer than the subjects of its history, and half a history of one kind is a style.', () => {
  const half = (prefixed: number): string[] =>
    Array.from({ length: 10 }, (_, index) => `${index < prefixed ? 'fix: ' : ''}mend the thing ${index}`);
  expect({
    length: styleHeadline(headline('word '.repeat(40).trim()), style('marks')).length,
    forms: [half(5), half(4), half(10).slice(0, 4)].map((subjects) => learnCommitStyle(subjects).form),
    bots: learnCommitStyle([...half(0).slice(0, 5), ...Array(50).fill('chore(deps): bump x from 1 to 2')])
      .form,
    stops: learnCommitStyle(half(10).map((subject) => `${subject}. (#12)`.replace('. (', ' (').concat('.')))
      .stop,
    codes: learnCommitStyle(half(0).map((subject) => `:bug: ${subject}`)).emoji,
  }).toEqual({
    length: 50,
    forms: ['conventional', 'plain', 'plain'],
    bots: 'plain',
    stops: true,
    codes: 'shortcode',
  });
});

test.each([
  ['Whatever', ['README.md', 'docs/a.rst'], 'docs'],
  ['Whatever', ['test/a.test.ts', 'src/b_test.go'], 'test'],
  ['Whatever', ['.github/workflows/ci.yml'], 'ci'],
  ['Whatever', ['package.json', 'package-lock.json'], 'build'],
  ['Add tests for ranges', ['src/a.ts', 'test/a.ts'], 'test'],
  ['Fixes the crash', ['src/a.ts'], 'fix'],
  ['Cache the parsed tree', ['src/a.ts'], 'perf'],
  ['Rename the port', ['src/a.ts'], 'refactor'],
  ['Support week numbers', ['src/a.ts'], 'feat'],
  ['Week numbers', ['src/a.ts'], 'chore'],
] as const)('The type of "%s" in %j is %s.', (words, files, type) => {
  expect(workTypeOf(words, files, 'chore')).toBe(type);
});
