import { expect, test } from 'vitest';
import {
  type CommitStyle,
  learnCommitStyle,
  plainStyle,
} from '../../../src/reporting/changes/commit-style.ts';
import { styleHeadline, workTypeOf } from '../../../src/reporting/changes/headline.ts';

const put = (words: string, style: Partial<CommitStyle>, more: object = {}) =>
  styleHeadline(
    { text: words, files: ['src/a.ts'], implements: false, sources: [], ...more },
    { ...plainStyle, ...style },
  );

test.each([
  ['feat', '✨', ':sparkles:', 'feature', ''],
  ['fix', '🐛', ':bug:', 'bugfix', ''],
  ['docs', '📝', ':memo:', 'doc', ''],
  ['refactor', '♻️', ':recycle:', '', ''],
  ['perf', '⚡️', ':zap:', 'fix', ''],
  ['test', '✅', ':white_check_mark:', 'tests', ''],
  ['build', '📦️', ':package:', 'deps', 'chore'],
  ['ci', '👷', ':construction_worker:', 'build', ''],
  ['revert', '⏪️', ':rewind:', 'fix', ''],
  ['chore', '🔧', ':wrench:', 'build', 'refactor'],
])('styles the type %s by emoji and alias', (type, character, code, other, third) => {
  const words = `${type}: it`;
  const conventional = (...types: string[]) => put(words, { form: 'conventional', types, capital: false });
  expect([
    put(words, { emoji: 'character' }),
    put(words, { emoji: 'shortcode' }),
    put(words, {}),
    conventional('x', type),
    conventional('x'),
    ...[other, third].filter((name) => name !== '').map((name) => conventional('x', name)),
  ]).toEqual([
    ...[`${character} It`, `${code} It`, 'It', `${type}: it`, `${type}: it`],
    ...[other, third].filter((name) => name !== '').map((name) => `${name}: it`),
  ]);
});

test('removes a stated type with its scope, in any spelling', () => {
  const typed = { form: 'conventional', types: ['feat', 'fix'], capital: false } as const;
  expect([
    put('feature(cli)!: Say it', typed),
    put('FIX: say it', typed),
    put('tests: say it', typed),
    put('note: say it', typed),
    put('say it', typed, { implements: true }),
    put('say it', typed),
    put('chore: fix', { ...typed, types: ['fix'] }),
  ]).toEqual([
    'feat: say it',
    'fix: say it',
    'test: say it',
    'fix: note: say it',
    'feat: say it',
    'fix: say it',
    'fix: fix',
  ]);
});

test('follows the style’s capital and full stop, but leaves names', () => {
  expect([
    put('say it.', {}),
    put('Say it:', { capital: false }),
    put('say it', { stop: true }),
    put('npmX does', {}),
    put('HTTP does', { capital: false }),
    put('a.ts does', {}),
    put('run() does', {}),
    put('say it at length', { length: 10 }),
    put('say it at length', { length: 10, stop: true }),
    put('say it now', { length: 10 }),
    put('say it now', { length: 10, stop: true }),
  ]).toEqual([
    'Say it',
    'say it',
    'Say it.',
    'npmX does',
    'HTTP does',
    'a.ts does',
    'run() does',
    'Say it at…',
    'Say it…',
    'Say it now',
    'Say it…',
  ]);
});

test('finds the ticket in the sources if its key is in use', () => {
  const ticket = { form: 'ticket', ticketKeys: ['AB', 'C2'], prefixForm: '[%] ' } as const;
  const of = (...sources: string[]) => put('say it', ticket, { sources });
  expect([of('HTTP-2 and AB-12'), of('none', 'x C2-1'), of('XAB-1', 'ab-3', 'AB-'), of()]).toEqual([
    '[AB-12] Say it',
    '[C2-1] Say it',
    'Say it',
    'Say it',
  ]);
});

test('chooses the longest area that contains all code', () => {
  const areas = ['cli', 'packages/cli', '@angular/build', 'a'.repeat(31), 'b'.repeat(30)];
  const of = (...files: string[]) => put('say it', { form: 'area', areas, capital: false }, { files });
  expect([
    of('src/cli.ts'),
    of('packages/cli/a.ts', 'packages/cli/b.ts'),
    of('packages/cli/a.ts', 'src/x.ts'),
    of('packages/angular/build/a.ts', 'tests/x.ts', 'test/x.ts', 'doc/x.ts', 'docs/x.ts', 'README.md'),
    of('docs/cli/x.ts'),
    of(`${'a'.repeat(31)}/x.ts`),
    of(`${'b'.repeat(30)}/x.ts`),
    of('src/client.ts'),
    of(),
  ]).toEqual([
    'cli: say it',
    'packages/cli: say it',
    'say it',
    '@angular/build: say it',
    'cli: say it',
    'say it',
    `${'b'.repeat(30)}: say it`,
    'say it',
    'say it',
  ]);
  expect(put('say it', { form: 'conventional', areas, capital: false }, { files: ['src/cli.ts'] })).toBe(
    'chore(cli): say it',
  );
});

test('learns a style from five subjects by people', () => {
  const subjects = ['fix: one', 'fix: two', 'fix: three', 'feat: four', 'feat: five'];
  const typed = { ...plainStyle, form: 'conventional', types: ['fix', 'feat'], capital: false };
  const automatic = [
    'Merge a',
    'Revert "a"',
    'Reapply "a"',
    'bump a',
    'build(deps): bump a',
    'release 1',
    'v1.2',
    '1.2',
    'Pin dependencies',
    'lock file',
    'update dependency a',
    '',
  ];
  expect([
    learnCommitStyle(subjects),
    learnCommitStyle([...subjects.slice(1), ...automatic]),
    learnCommitStyle([...subjects, ...automatic]),
  ]).toEqual([typed, plainStyle, typed]);
});

test.each(
  'feat feature fix bugfix docs doc style refactor perf test tests build ci chore revert deps'.split(' '),
)('takes %s for a type, not for an area', (type) => {
  const { form, types, areas } = learnCommitStyle(Array.from({ length: 5 }, () => `${type}: it`));
  expect([form, types, areas]).toEqual(['conventional', [type], []]);
});

test('learns scopes, tickets and full stops by their shares, and no length', () => {
  const five = (one: string, other: string, count: number) =>
    Array.from({ length: 6 }, (_, index) => (index < count ? one : other));
  const learnt = (one: string, other: string, count: number) => learnCommitStyle(five(one, other, count));
  expect([
    [2, 1].map((count) => learnt('fix(cli): it', 'fix: it', count).areas),
    [3, 2].map((count) => learnt('AB-1: It', 'It', count).form),
    ['[AB-1] It', 'AB-1 It', 'AB-1 - It', '[AB-1]: It'].map((one) => learnt(one, 'It', 6).prefixForm),
    [3, 2].map((count) => learnt('net/http: it', 'It', count).form),
    [3, 2].map((count) => learnt('It is.', 'It is', count).stop),
    [3, 2].map((count) => learnt('It', 'it', count).capital),
    [3, 2].map((count) => learnt(':bug: It', 'It', count).emoji),
    [3, 2].map((count) => learnt('🐛 It', 'It', count).emoji),
    [20, 80].map((length) => learnt('x'.repeat(length), '', 6).length),
  ]).toEqual([
    [['cli'], []],
    ['ticket', 'plain'],
    ['[%] ', '% ', '% - ', '[%]: '],
    ['area', 'plain'],
    [true, false],
    [true, false],
    ['shortcode', 'none'],
    ['character', 'none'],
    [72, 72],
  ]);
});

test('recognises a type only at the start, and removes final stops and colons', () => {
  expect([
    put('We say feat: it', {}),
    put('say it.:.', { capital: false }),
    put('say it..', { stop: true }),
  ]).toEqual(['We say feat: it', 'say it', 'Say it.']);
});

const cases = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

test.each([
  [
    'docs',
    `docs/a.ts
    a/doc/b.ts
    Documentation/a
    README.md
    a.mdx
    a.rst
    a.adoc
    notes.TXT
    my-requirements.txt
    docs/requirements.txt`,
  ],
  [
    'test',
    `test/a.ts
    a/tests/b.ts
    a/__tests__/b.js
    spec/a.rb
    specs/a.rb
    a/testdata/x.json
    a/fixtures/x.json
    a.test.ts
    a-spec.js
    a_test.go
    a_spec.rb`,
  ],
  [
    'ci',
    `.github/workflows/a.yml
    .gitlab-ci.yml
    a/.travis.yml
    Jenkinsfile
    azure-pipelines.yml`,
  ],
  [
    'build',
    `package.json
    a/package-lock.json
    pnpm-lock.yaml
    yarn.lock
    Cargo.toml
    Cargo.lock
    go.mod
    go.sum
    pom.xml
    build.gradle
    build.gradle.kts
    Makefile
    Dockerfile
    CMakeLists.txt
    pyproject.toml
    requirements.txt
    a/requirements-dev.txt
    Gemfile
    Gemfile.lock`,
  ],
  [
    'feat',
    `docsy/a.ts
    a.md.ts
    latest/a.ts
    a.test/b
    src/testing.ts
    a/.github/b.yml
    jenkinsfiles
    my-package.json
    package.json5
    gomod
    build.gradle.kt
    a/contest.ts`,
  ],
])('derives %s from files', (type, files) => {
  const told = cases(files);
  expect(told.map((file) => [file, workTypeOf('Widen it', [file], 'feat')])).toEqual(
    told.map((file) => [file, type]),
  );
});

test('derives a type from the files only if all agree', () => {
  expect([
    workTypeOf('Fix it', ['docs/a.md', 'b.md'], 'feat'),
    workTypeOf('Fix it', ['docs/a.md', 'src/b.ts'], 'feat'),
    workTypeOf('Fix it', [], 'feat'),
    workTypeOf('Widen it', [], 'feat'),
    workTypeOf('Widen it', [], 'chore'),
  ]).toEqual(['docs', 'fix', 'fix', 'feat', 'chore']);
});

test.each([
  ['revert', 'Revert the loop\n reverts it'],
  ['test', 'Add a test of dates\nAdds tests\nTest the specs\nCover it with a spec\nAdd coverage'],
  [
    'docs',
    'Document it\nExplain dates\nDescribes it\nTouch the README\nTouch the changelog\nA docstring\nSome docstrings\nA typo\nMany typos',
  ],
  [
    'fix',
    `Fix it\nfixes it\nCorrect it\nRepair it\nResolve it\nPrevent it\nAvoid it\nHandle it\nStop it\nGuard it\nRestore it\nKeep it\nDo not do it
    Don't do it\nReject it\nEscape it\nA bug\nThe crash\nThe regression\nOff by one\nAn off-by-one`,
  ],
  [
    'perf',
    'Speed it up\nCache it\nOptimise it\nOptimize it\nReduce it\nBe faster\nThe performance\nThe slow part',
  ],
  [
    'refactor',
    'Refactor it\nRename it\nExtract it\nSimplify it\nMove it\nSplit it\nInline it\nClean it\nReorganise it\nReorganize it\nRestructure it\nDeduplicate it',
  ],
  [
    'build',
    'Upgrade the dependencies\nBump a dependency\nPin all versions\nUpdate zod to 4\nUpdate zod to v4',
  ],
  [
    'feat',
    'Add it\nAllow it\nImplement it\nIntroduce it\nSupport it\nLet it\nEnable it\nMake it\nCreate it\nProvide it\nAccept it\nShow it\nOffer it',
  ],
  [
    'chore',
    'Widen it\nThe testing of it\nA debugger\nUpdate zod\nBreathe\nUnfix it\nA slowdown\nPlease revert it\nUpgradezod to 4\nThe contypo\nPlease document it\nPlease explain\nPlease describe it\nPlease fix it\nWe escape\nPlease speed it up\nWe reduce it\nPlease refactor it\nWe split it\nPlease update zod to 4\nPlease add it\nPlease add tests\nDebug\nAcrash\nProgression\nRoff by one\nSomefaster\nAreadme',
  ],
])('derives %s from words', (type, words) => {
  const told = cases(words);
  expect(told.map((one) => [one, workTypeOf(one, ['a.ts'], 'chore')])).toEqual(
    told.map((one) => [one, type]),
  );
});
