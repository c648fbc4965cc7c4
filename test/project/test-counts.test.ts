import { expect, test } from 'vitest';
import { countTests } from '../../scripts/test-counts.ts';

const report = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [
    { status: 'passed', assertionResults: [{}] },
    { status: 'failed', assertionResults: [{}] },
  ],
};

test('passed, failed and skipped tests are counted from the report', () => {
  expect(countTests(JSON.stringify(report))).toEqual({ passed: 5, failed: 1, skipped: 3 });
});

test('a file that failed before its first test counts as a failure', () => {
  const broken = {
    ...report,
    testResults: [...report.testResults, { status: 'failed', assertionResults: [] }],
  };
  expect(countTests(JSON.stringify(broken))).toEqual({ passed: 5, failed: 2, skipped: 3 });
});

test('a report in another format is refused', () => {
  expect(() => countTests('{}')).toThrow();
});
