import { expect, test } from 'vitest';
import { workTypeOf } from '../../../src/reporting/changes/work-type.ts';

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
])('files that tell %s', (type, files) => {
  const told = cases(files);
  expect(told.map((file) => [file, workTypeOf('Widen it', [file], 'feat')])).toEqual(
    told.map((file) => [file, type]),
  );
});

test('files tell only where all of them say the same', () => {
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
])('words that tell %s', (type, words) => {
  const told = cases(words);
  expect(told.map((one) => [one, workTypeOf(one, ['a.ts'], 'chore')])).toEqual(
    told.map((one) => [one, type]),
  );
});
