import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAll } from './build.ts';
import { coverageTable, readCalls } from './coverage.ts';
import { installSystemPackages } from './system-packages.ts';
import { countTests, type TestCounts } from './test-counts.ts';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Runs vitest under this very Node. Returns whether it passed, its counts (null without a report),
 * and a table of the called functions (null unless requested).
 */
function runVitest(
  args: readonly string[],
  part: 'short' | 'whole',
  withCoverage: boolean,
): { ok: boolean; counts: TestCounts | null; coverage: string | null } {
  const folder = mkdtempSync(path.join(tmpdir(), 'anode-test-'));
  try {
    const calls = path.join(folder, 'calls');
    mkdirSync(calls);
    const report = path.join(folder, 'report.json');
    const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
      cwd: root,
      stdio: 'inherit',
      // Tests start the built program: users get the same, and it costs half.
      env: {
        ...process.env,
        ANODE_TEST_BUILT: '1',
        ANODE_TEST_PART: part,
        ...(withCoverage && { ANODE_COVERAGE: calls }),
      },
    });
    return {
      ok: status === 0,
      counts: readCounts(report),
      coverage: withCoverage ? coverageTable(readCalls(calls)) : null,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readCounts(report: string): TestCounts | null {
  try {
    return countTests(readFileSync(report, 'utf8'));
  } catch (error) {
    console.error(
      `vitest left no report that can be read: ${error instanceof Error ? error.message : error}`,
    );
    return null;
  }
}

const missing = installSystemPackages(process.env);
const mustHave = process.env.CI === 'true';
for (const name of missing) {
  console.log(
    mustHave
      ? `${name} is missing and could not be installed; under CI that is a failure.`
      : `${name} is missing: the tests that need it are skipped. Install it with: apt-get install ${name}`,
  );
}
const args = process.argv.slice(2).filter((arg) => arg !== '--whole' && arg !== '--coverage');
// Named tests run in either part.
const part = process.argv.includes('--whole') || args.length > 0 ? 'whole' : 'short';
await buildAll();
const { ok, counts, coverage } = runVitest(args, part, process.argv.includes('--coverage'));
const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
process.exitCode = ok && failed === 0 && passed > 0 && !(mustHave && missing.length > 0) ? 0 : 1;
if (coverage !== null) {
  console.log(coverage);
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) appendFileSync(summary, `## Functions that tests called\n\n${coverage}\n`);
}
if (part === 'short') console.log('Left out: attacks and long tables. Play them too: npm test -- --whole');
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
