import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../src/contract/findings.ts';
import { parseHunks } from '../../../src/reporting/diff/git-patch.ts';
import { createHunkMap } from '../../../src/reporting/diff/hunk-map.ts';
import { reconcile } from '../../../src/reporting/findings/reconcile.ts';
import { reportableFindings } from '../../../src/reporting/findings/reportable-findings.ts';
import { makeReview } from '../../../src/reporting/review/make-review.ts';
import { diffBetween } from '../../../src/workspace/git/diff-between.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import { type GitHub, startGitHub } from '../../support/github/start-github.ts';
import { finding, samplePlan } from '../samples.ts';

/** A part of this project's own history: code, documentation and configuration, commit by commit. */
const bundle = path.resolve(import.meta.dirname, '../../fixtures/real-diffs/history.bundle');

let github: GitHub;
let repository: RepositoryHandle;
/** Commits from the oldest on; the branch `c<index>` is at each. */
let commits: readonly string[];

beforeAll(async () => {
  github = await startGitHub();
  repository = await github.createRepository('acme/history', {});
  await repository.git('fetch', '--quiet', bundle, 'refs/heads/history:refs/heads/history');
  commits = (await repository.git('rev-list', '--reverse', 'history')).trim().split('\n');
  const branches = commits.map((sha, index) => `${sha}:refs/heads/c${index}`);
  await repository.git('fetch', '--quiet', '.', ...branches);
});
afterAll(async () => github.close());

/** Findings on any line of the files of a diff, of both sides, under old names and new, and some on no file of it. */
function anyFindings(diff: string, seed: number): Finding[] {
  const files = parseHunks(diff).flatMap(({ path: name, oldPath }) => [name, oldPath ?? name]);
  const last = Math.max(
    20,
    ...parseHunks(diff).flatMap(({ hunks }) => hunks.flat().map(({ newLine }) => newLine ?? 0)),
  );
  const line = fc.integer({ min: 1, max: last + 20 });
  const any = fc.record({
    path: fc.constantFrom('src/elsewhere.ts', ...files),
    side: fc.constantFrom('RIGHT' as const, 'LEFT' as const),
    line,
    reach: fc.constantFrom(0, 0, 1, 3, 40),
    suggestion: fc.option(fc.constantFrom('', 'const other = 1;\n', '```\nfence\n```')),
  });
  return fc.sample(any, { numRuns: 40, seed }).map(({ reach, suggestion, ...where }, index) => ({
    ...finding,
    ...where,
    title: `Finding ${index}`,
    body: `About ${index}.`,
    ...(reach === 0 ? {} : { start_line: Math.max(1, where.line - reach) }),
    ...(suggestion === null ? {} : { suggestion }),
  }));
}

test('makes accepted reviews with every finding for more than 200 real diffs', async () => {
  const pairs = [1, 4]
    .flatMap((distance) => commits.slice(distance).map((_, index) => [index, index + distance] as const))
    .slice(0, 210);
  const directory = repository.repository.directory;
  const totals = { diffs: 0, comments: 0, ranges: 0, left: 0, moved: 0, listed: 0 };
  for (const [from, to] of pairs) {
    const [base = '', head = ''] = [commits[from], commits[to]];
    const diff = await diffBetween({ cwd: directory, gitDirectory: directory }, base, head);
    const map = createHunkMap(diff);
    const heard = reportableFindings(anyFindings(diff, to), {}, map);
    const reconciled = reconcile({
      ...{ runId: 'run_1', findings: heard, previous: [], source: map, dismissed: new Map() },
      evidence: { kind: 'none' },
      checks: new Set(),
    });
    const made = makeReview({
      ...{ plan: samplePlan(), reconciled, suggestions: [], map, event: 'COMMENT', complete: true },
      ...{ verdictIsNews: false, budget: 100, threadsFrom: 'info' },
    });
    const { number } = await repository.openPullRequest({
      title: `${from} to ${to}`,
      ...{ head: `c${to}`, base: `c${from}`, author: 'ada' },
    });
    const { body = '', comments = [] } = made.review ?? {};
    if (made.review !== null)
      await repository.review(number, { author: 'rex', commitId: head, body, comments });
    // The summary tells what is on no line.
    const lost = comments.length - new Set(made.onLines).size;
    expect([lost, /\n.*\n/.test(body)]).toEqual([0, false]);
    totals.diffs += 1;
    totals.comments += comments.length;
    totals.ranges += comments.filter(({ start_line }) => start_line !== undefined).length;
    totals.left += comments.filter(({ side }) => side === 'LEFT').length;
    totals.moved += comments.filter(({ body: text }) => text.includes('About line ')).length;
    totals.listed += reconciled.fresh.length - comments.length;
  }
  expect(totals.diffs).toBeGreaterThan(200);
  // Each way of telling was taken often.
  expect(Object.entries(totals).filter(([, count]) => count < 100)).toEqual([]);
});
