import { expect, test } from 'vitest';
import {
  type CommitStyle,
  learnCommitStyle,
  plainStyle,
} from '../../../src/reporting/changes/commit-style.ts';
import { type Headline, styleHeadline, workTypeOf } from '../../../src/reporting/changes/headline.ts';
import { histories } from './histories.ts';

const style = (name: keyof typeof histories): CommitStyle => learnCommitStyle(histories[name]);
const headline = (words: string, more: Partial<Headline> = {}): Headline => ({
  text: words,
  files: ['src/ranges.ts'],
  implements: false,
  sources: [],
  ...more,
});

test('learns prefixes, gitmoji, tickets, areas, capitals and length', () => {
  const brief = (subjects: readonly string[]) => {
    const { form, emoji, types, areas, ticketKeys, prefixForm, capital, stop, length } =
      learnCommitStyle(subjects);
    return [form, emoji, types[0], areas[0], ticketKeys[0], prefixForm, capital, stop, length];
  };
  expect(
    Object.fromEntries(Object.entries(histories).map(([name, subjects]) => [name, brief(subjects)])),
  ).toEqual({
    packages: ['conventional', 'none', 'fix', '@harbour/router', undefined, '', false, false, 72],
    search: ['conventional', 'none', 'docs', undefined, undefined, '', true, false, 72],
    marks: ['plain', 'character', undefined, undefined, undefined, '', true, false, 72],
    tickets: ['ticket', 'none', undefined, undefined, 'KEEPER', '%: ', true, false, 72],
    areas: ['area', 'none', undefined, 'lint/checks/loops', undefined, '', false, false, 72],
    tags: ['tag', 'none', 'Tests', undefined, undefined, '[%] ', false, false, 72],
    requests: ['plain', 'none', undefined, undefined, undefined, '', true, false, 72],
    sentences: ['plain', 'none', undefined, undefined, undefined, '', true, false, 72],
  });
});

test('styles a headline by each history', () => {
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

test('removes a prefix that the style lacks, and rewrites one that it has', () => {
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
    'npm: take the lock file',
  ]);
});

test('limits a headline to 72 characters, whatever the length of the history’s subjects', () => {
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
    length: 68,
    forms: ['conventional', 'plain', 'plain'],
    bots: 'plain',
    stops: true,
    codes: 'shortcode',
  });
});

/** Five subjects, of which the first `count` are made by `make`. */
const subjects = (count: number, make: (words: string) => string): string[] =>
  ['mend it', 'say more', 'take less', 'go on', 'stay there'].map((words, index) =>
    index < count ? make(words) : words,
  );
const learnt = (make: (words: string) => string, count = 5) => {
  const { form, types, areas, ticketKeys, prefixForm, emoji } = learnCommitStyle(subjects(count, make));
  return [form, ...types, ...areas, ...ticketKeys, prefixForm, emoji].filter(
    (part) => part !== '' && part !== 'none',
  );
};

test.each([
  ['fix: @', ['conventional', 'fix']],
  ['FIX!: @', ['conventional', 'FIX']],
  ['fix(a_b/c.d-e1):  @', ['conventional', 'fix', 'a_b/c.d-e1']],
  ['fix(core)!: @', ['conventional', 'fix', 'core']],
  [`fix(${'a'.repeat(40)}): @`, ['conventional', 'fix', 'a'.repeat(40)]],
  [`fix(${'a'.repeat(41)}): @`, ['plain']],
  ['fix(): @', ['plain']],
  ['see fix: @', ['plain']],
  ['fix:@', ['plain']],
  ...'feat feature fix bugfix docs doc style refactor perf test tests build ci chore revert deps'
    .split(' ')
    .map((type) => [`${type}: @`, ['conventional', type]] as const),
  ['lexer: @', ['area', 'lexer']],
  ['net/http: @', ['area', 'net/http']],
  ['a.b*{c},d-e/F_1: @', ['area', 'a.b*{c},d-e/F_1']],
  ['a//b: @', ['plain']],
  ['/a: @', ['plain']],
  ['net http: @', ['plain']],
  ['KEY-12: @', ['ticket', 'KEY', '%: ']],
  ['[KEY-12] @', ['ticket', 'KEY', '[%] ']],
  ['[K2-1]: @', ['ticket', 'K2', '[%]: ']],
  ['KEY-1 - @', ['ticket', 'KEY', '% - ']],
  ['KEY-1 @', ['ticket', 'KEY', '% ']],
  ['KEY-1:  @', ['ticket', 'KEY', '%: ']],
  ['see KEY-1: @', ['plain']],
  [`${'K'.repeat(15)}-1 @`, ['ticket', 'K'.repeat(15), '% ']],
  [`${'K'.repeat(16)}-1 @`, ['plain']],
  ['K-1 @', ['plain']],
  ['2KEY-1 @', ['plain']],
  ['key-1 @', ['plain']],
  ['KEY- @', ['plain']],
  [':bug: @', ['plain', 'shortcode']],
  [':+1_a-b:@', ['plain', 'shortcode']],
  [':Bug: @', ['plain']],
  ['🐛 @', ['plain', 'character']],
  ['♻️👍🏽👩‍💻@', ['plain', 'character']],
  ['🐛 fix: @', ['conventional', 'fix', 'character']],
] as const)('Subjects such as "%s" have the style %j.', (subject, parts) => {
  expect(learnt((words) => subject.replace('@', words))).toEqual(parts);
});

test.each([
  ...[
    'Merge branch x',
    'Revert "x"',
    'Reapply "x"',
    'Bump x',
    'fix: bump x',
    'chore(deps): update dependency x',
  ],
  ...['lock file maintenance', 'deps: pin dependencies', 'release', 'Release 1', 'v1.2', '10.0.1 is out'],
])('ignores the automatic subject %j', (subject) => {
  const others = subjects(5, (words) => `KEY-1: ${words}`);
  const style = learnCommitStyle([...Array.from({ length: 20 }, () => subject), ...others]);
  expect([style, learnCommitStyle(Array.from({ length: 5 }, () => subject))]).toEqual([
    learnCommitStyle(others),
    plainStyle,
  ]);
});

test.each([
  ...['Merged x', 'Revert it', 'Reapply it', 'bumper x', 'releases', 'v1', '1 is out', 'a bump x'],
])('counts the subject %j', (subject) => {
  const all = Array.from({ length: 5 }, () => `${subject}.`);
  expect(learnCommitStyle(all)).toEqual({
    ...plainStyle,
    stop: true,
    capital: /^[^a-z]/.test(subject),
  });
});

test('requires half of the subjects for a style, most frequent first', () => {
  const of = (...all: string[]) => learnCommitStyle(all);
  const { types, areas } = of('fix(b): a', 'feat(a): a', 'feat(b): a', 'docs(b): a', 'feat: a');
  const rare = of('fix(a): a', 'fix: b', 'fix: c', 'fix: d', 'fix: e');
  const third = of('fix(a): a', 'fix(b): b', 'fix: c', 'fix: d', 'fix: e', 'fix: f');
  expect([
    types,
    areas,
    rare.areas,
    third.areas,
    learnt((words) => `lexer: ${words}`, 3),
    learnt((words) => `lexer: ${words}`, 2),
  ]).toEqual([['feat', 'fix', 'docs'], ['b', 'a'], [], ['a', 'b'], ['area', 'lexer'], ['plain']]);
  const marks = (codes: number, characters: number) =>
    of(
      ...Array.from(
        { length: 6 },
        (_, index) => `${index < codes ? ':bug: ' : index < codes + characters ? '🐛 ' : ''}mend ${index}`,
      ),
    ).emoji;
  expect([marks(2, 1), marks(1, 1), marks(2, 2), marks(3, 2), marks(0, 3)]).toEqual([
    ...['shortcode', 'none', 'character', 'shortcode', 'character'],
  ]);
});

test('learns capitals, full stops and length without prefix, emoji and number', () => {
  const of = (...all: string[]) => {
    const { capital, stop, length } = learnCommitStyle(all);
    return [capital, stop, length];
  };
  const long = (length: number) => 'x'.repeat(length);
  expect([
    of('fix: A.', 'fix: B. (#12)', 'fix: C (#3).', 'fix: d', 'fix: e'),
    of('a', 'b', 'c', 'D...', 'E..'),
    of('1', '2', '3', 'D', 'e'),
    of(...Array.from({ length: 10 }, () => long(40)), long(72)),
    of(...Array.from({ length: 5 }, () => long(80))),
    of(...Array.from({ length: 5 }, () => `🐛 ${long(60)} (#1)`)),
    of('docs: a', 'build: b', 'tests: c', 'Fix it', 'Say it', 'Go on', 'take x'),
  ]).toEqual([
    [true, true, 72],
    [false, false, 72],
    [true, false, 72],
    [false, false, 72],
    [false, false, 72],
    [false, false, 72],
    [true, false, 72],
  ]);
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
] as const)('Takes "%s" in %j for a commit of type %s', (words, files, type) => {
  expect(workTypeOf(words, files, 'chore')).toBe(type);
});
