import * as z from 'zod';

/** The fields that are read of the report that vitest's JSON reporter writes. */
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * The counts of a run from vitest's JSON report; a file that failed before its first test counts as
 * one failure.
 */
export function countTests(report: string): TestCounts {
  const read = Report.parse(JSON.parse(report));
  const broken = read.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    passed: read.numPassedTests,
    failed: read.numFailedTests + broken.length,
    skipped: read.numPendingTests + read.numTodoTests,
  };
}
