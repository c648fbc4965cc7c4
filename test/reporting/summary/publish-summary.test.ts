import { expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import { PullSummary } from '../../../src/contract/pull-summary.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import { publishSummary } from '../../../src/reporting/summary/publish-summary.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { finding, sampleOutcome, samplePlan } from '../samples.ts';

const reviewed = 'a'.repeat(40);
const one: PreviousFinding = {
  ...{ ...finding, id: '0123456789abcdef', folded: true, check: null, anchor: '', window: '' },
  ...{ occurrence: 0, state: 'open', run_id: 'run_0', dismissed_by: null, fixed: null },
};
const stored = {
  ...{ version: 1, comment_id: 9, created_by: 'run_0', run_id: 'run_0', head: reviewed, news: '', notes: '' },
  ...{ walkthrough: null, threads: {}, runs: [], footer: '', text: 'x' },
} as const;

/** Writes the summary again after each run that is no review; its text, and what is stored of bases. */
async function publish(plans: readonly Partial<RunPlan>[], before: Partial<PullSummary> = {}) {
  const store = createMemoryStateStore();
  await store.set(stateKeys.summary(7), JSON.stringify(PullSummary.parse({ ...stored, ...before })));
  const record = { version: 1, reviewed: null, located: reviewed, findings: [one] };
  await store.set(stateKeys.review(7), JSON.stringify(record));
  const comment = { data: { id: 9, html_url: 'https://github.test/9', body: '' } };
  const issues = { getComment: async () => comment, updateComment: async () => comment };
  const ports = { octokit: { rest: { issues } }, store, config: {}, ownLogin: 'anode-ci[bot]' };
  for (const changes of plans) {
    const review = { posted: null, findings: [], carried: 0, tally: '', notes: [], patch: '' };
    const render = () => ({ news: '', notes: '' });
    const outcome = sampleOutcome({ run_id: samplePlan(changes).run_id });
    const run = { outcome, plan: samplePlan(changes), review, render, editsOnly: false };
    await publishSummary({ ...run, ports: ports as never });
  }
  const { base, base_before, text, runs } = PullSummary.parse(
    JSON.parse((await store.get(stateKeys.summary(7))) ?? ''),
  );
  return { base, base_before, text, runs };
}

const { checkout } = samplePlan();
const at = (base_ref: string): Partial<RunPlan> => ({
  checkout: { ...checkout, base_ref, sha: 'b'.repeat(40) },
});

test('a line and its link are of the same commit, also after a run on a newer one', async () => {
  const { text } = await publish([at('main')]);
  const links = [...text.matchAll(/blob\/(\w+)\/src\/a\.js#L(\d+)/gu)].map(([, sha, line]) => [sha, line]);
  expect(links).toEqual([[reviewed, String(finding.line)]]);
});

test('a retarget is told until the pull request points at its first base again', async () => {
  const bases = async (...names: readonly string[]) => {
    const { text, runs: _, ...now } = await publish(names.map(at));
    return { ...now, told: /^Now against .*$/mu.exec(text)?.[0] };
  };
  expect([
    await bases('main'),
    await bases('main', 'next', 'next'),
    await bases('main', 'next', 'main'),
  ]).toEqual([
    { base: 'main', base_before: undefined, told: undefined },
    { base: 'next', base_before: 'main', told: 'Now against `next`; it was against `main`.' },
    { base: 'main', base_before: undefined, told: undefined },
  ]);
});

test('the cost of a run that was continued counts once', async () => {
  const resume = { run_id: 'run_a', session_id: 's', answer: 'Go on.', answered_by: 'ada' };
  const { runs } = await publish([{ run_id: 'run_a' }, { run_id: 'run_b', resume }, { run_id: 'run_c' }]);
  expect(runs.map(({ run_id }) => run_id)).toEqual(['run_b', 'run_c']);
});
