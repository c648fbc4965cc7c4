import { expect, test } from 'vitest';
import { isAboutTests } from '../../../src/contract/is-about-tests.ts';
import { mayBeTestedNow } from '../../../src/reporting/findings/missing-tests.ts';

test('recognises findings that tests are missing', () => {
  const about = (title: string, category = 'correctness') => isAboutTests({ title, category });
  expect([
    ['No test covers the last day', 'Missing unit tests', 'The parser is untested', 'Lacks a test'].map(
      (one) => about(one),
    ),
    about('Nothing covers it', 'Testing'),
    about('Nothing covers it', 'test-coverage'),
    ['The test is flaky', 'The latest value wins', 'Not tested input is parsed'].map((one) => about(one)),
  ]).toEqual([[true, true, true, true], true, true, [false, false, false]]);
});

const diffOf = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@\n one\n-two\n+${line}\n`;

test('looks at such a finding again once its file or a test changed', () => {
  const before = diffOf('src/a.ts', 'three') + diffOf('src/b.ts', 'three');
  const after = (now: string) => ['src/a.ts', 'src/b.ts'].map(mayBeTestedNow(before, now));
  expect([
    after(before),
    after(diffOf('src/a.ts', 'four') + diffOf('src/b.ts', 'three')),
    ...['test/a.ts', 'src/a.test.ts', 'pkg/a_test.go', 'tests/test_a.py', 'src/__tests__/a.js'].map((path) =>
      after(before + diffOf(path, 'new')),
    ),
    after(before + diffOf('src/latest.ts', 'new')),
  ]).toEqual([
    [false, false],
    [true, false],
    ...Array.from({ length: 5 }, () => [true, true]),
    [false, false],
  ]);
});
