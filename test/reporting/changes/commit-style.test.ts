import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type CommitStyle,
  learnCommitStyle,
  plainStyle,
} from '../../../src/reporting/changes/commit-style.ts';
import { type Headline, styleHeadline } from '../../../src/reporting/changes/style-headline.ts';
import { workTypeOf } from '../../../src/reporting/changes/work-type.ts';

/** The newest subjects of a public repository; where from stands in the file's first line. */
const history = (name: string): string[] =>
  readFileSync(new URL(`../../fixtures/commit-subjects/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);

const style = (name: string): CommitStyle => learnCommitStyle(history(name));
const headline = (words: string, more: Partial<Headline> = {}): Headline => ({
  words,
  files: ['src/ranges.ts'],
  implements: false,
  sources: [],
  ...more,
});

test('The style of real histories is learnt: prefixes, gitmoji, tickets, areas, capitals and length.', () => {
  const brief = (name: string) => {
    const { form, emoji, types, areas, ticketKeys, ticketForm, capital, stop, length } = style(name);
    return [form, emoji, types[0], areas[0], ticketKeys[0], ticketForm, capital, stop, length];
  };
  expect(
    Object.fromEntries(
      ['angular-cli', 'fd', 'gitmoji', 'zookeeper', 'tools', 'requests', 'commons-lang'].map((name) => [
        name,
        brief(name),
      ]),
    ),
  ).toEqual({
    'angular-cli': ['conventional', 'none', 'fix', '@angular/build', undefined, '', false, false, 72],
    fd: ['conventional', 'none', 'docs', undefined, undefined, '', true, false, 59],
    gitmoji: ['plain', 'character', undefined, undefined, undefined, '', true, false, 50],
    zookeeper: ['ticket', 'none', undefined, undefined, 'ZOOKEEPER', '%: ', true, false, 72],
    tools: ['area', 'none', undefined, 'go/analysis/passes/modernize', undefined, '', false, false, 72],
    requests: ['plain', 'none', undefined, undefined, undefined, '', true, false, 59],
    'commons-lang': ['plain', 'none', undefined, undefined, undefined, '', true, false, 72],
  });
});

test('A headline is put in the style of each history.', () => {
  const words = 'Keep the later end when merging ranges';
  expect([
    styleHeadline(headline(words, { files: ['packages/angular/build/src/a.ts'] }), style('angular-cli')),
    styleHeadline(headline(words, { files: ['tools/x.js'] }), style('angular-cli')),
    styleHeadline(headline(words), style('gitmoji')),
    styleHeadline(headline(words, { sources: ['Ranges (ZOOKEEPER-41, HTTP-2)'] }), style('zookeeper')),
    styleHeadline(headline(words, { sources: ['Ranges'] }), style('zookeeper')),
    styleHeadline(
      headline(words, { files: ['refactor/satisfy/find.go', 'refactor/satisfy/find_test.go'] }),
      style('tools'),
    ),
    styleHeadline(headline(words), style('requests')),
  ]).toEqual([
    'fix(@angular/build): keep the later end when merging ranges',
    'fix: keep the later end when merging ranges',
    '🐛 Keep the later end when merging ranges',
    'ZOOKEEPER-41: Keep the later end when merging ranges',
    'Keep the later end when merging ranges',
    'refactor/satisfy: keep the later end when merging ranges',
    'Keep the later end when merging ranges',
  ]);
});

test('A prefix that the words have goes where the style has none, and stays as the style writes it.', () => {
  const stated = headline('feature(dates): Support week numbers');
  expect([
    styleHeadline(stated, plainStyle),
    styleHeadline(stated, style('angular-cli')),
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
    length: styleHeadline(headline('word '.repeat(40).trim()), style('gitmoji')).length,
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
