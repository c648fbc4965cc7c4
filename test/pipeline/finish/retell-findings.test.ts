import { beforeAll, expect, test } from 'vitest';
import type { RunPlan } from '../../../src/contract/plan.ts';
import type { PreviousFinding } from '../../../src/contract/review-record.ts';
import { stateKeys } from '../../../src/contract/state-keys.ts';
import { type GitHubContext, withClients } from '../../../src/pipeline/context/broker-context.ts';
import { retellReview } from '../../../src/pipeline/finish/retell-findings.ts';
import { saveLastReview } from '../../../src/pipeline/publish/stored-review.ts';
import { readReviewRecord, saveReviewRecord } from '../../../src/reporting/findings/previous-findings.ts';
import { foldFindings } from '../../../src/reporting/review/fold-findings.ts';
import { createMemoryStateStore } from '../../../src/state/memory-state-store.ts';
import { openRepositoryState } from '../../../src/state/repository-state.ts';
import { finding, sampleOutcome, samplePlan } from '../../reporting/samples.ts';
import type { RepositoryHandle } from '../../support/github/repository-handle.ts';
import { entryContext, folder, github, login, startWorkerEdges } from '../../support/worker-fixture.ts';
import { readToldFindings } from '../../uses/support/told-findings.ts';

startWorkerEdges(() => ({ text: 'Not asked.' }));

let shop: RepositoryHandle;
let plan: RunPlan;
beforeAll(async () => {
  shop = await github.createRepository('acme/shop', { files: { 'a.txt': 'red\n' } });
  const sha = await shop.commit('topic', { files: { 'a.txt': 'one\ntwo\n' }, message: 'Two', author: 'ada' });
  const pull = await shop.openPullRequest({ title: 'Two', head: 'topic', author: 'ada' });
  const { checkout } = samplePlan();
  plan = samplePlan({
    ...{ verb: 'review', profile: 'review', trigger_comment: null },
    thread: { kind: 'pull_request', number: pull.number, title: 'Two' },
    checkout: { ...checkout, sha, base_sha: (await shop.head('main')) ?? '', ref: 'refs/pull/1/head' },
    repository: { ...samplePlan().repository, owner: 'acme', name: 'shop', clone_url: shop.cloneUrl },
    config_text: 'review: { sarif: true }',
    config_file: '.github/anode.yml',
  });
});

const about = (line: number, body: string): PreviousFinding => ({
  ...{ id: `${line}`.repeat(16), path: 'a.txt', side: 'RIGHT', line, severity: 'low', category: 'style' },
  ...{ title: `Line ${line}`, body, check: null, anchor: '', window: '', occurrence: 0, state: 'open' },
  ...{ run_id: plan.run_id, dismissed_by: null, fixed: null },
});

/** A review with a finding on each of two lines, as it is stored once it is published. */
async function reviewed(canAsk = true): Promise<GitHubContext> {
  const state = createMemoryStateStore();
  const { store, tenant } = await openRepositoryState(state, { installation: 1, repository: 1 });
  const token = async () =>
    github.createToken({ actor: login, permissions: { checks: 'write', security_events: 'write' } });
  const { state: _, installationId: __, ...settings } = entryContext({ canAsk, scanToken: token });
  const checkRight = async () => ({ kind: 'check' as const, token });
  const context = withClients({ ...settings, checkRight, store, tenant, stateFolder: folder });
  const findings = [about(1, 'One.'), about(2, 'Two, cut…')];
  await saveReviewRecord(plan, store, { version: 1, reviewed: null, findings });
  const whole = { ...finding, path: 'a.txt', line: 2, start_line: 1, title: 'Line 2', body: 'Two, whole.' };
  const found = new Map([['2'.repeat(16), { ...whole, severity: 'low' as const }]]);
  const told = foldFindings(findings, { runId: plan.run_id, found, threads: new Map() });
  const published = { told, issues: [], downgrades: [], failures: [], patch: '', report: '' };
  await saveLastReview(plan, sampleOutcome({ run_id: plan.run_id, profile: 'review' }), published, context);
  return context;
}

/** Dismisses the finding on line 1. */
async function dismissOne({ store }: GitHubContext): Promise<void> {
  const record = (await readReviewRecord(plan, store)) ?? expect.unreachable();
  const findings = record.findings.map((one) =>
    one.line === 1 ? { ...one, state: 'dismissed' as const, dismissed_by: 'ada' } : one,
  );
  await saveReviewRecord(plan, store, { ...record, findings });
}

test('findings are told again once for every change of their states', async () => {
  const context = await reviewed();
  const counts = () => [shop.checkRuns().length, shop.sarifs().length];
  const before = counts();
  await retellReview(plan, 'delivery-1', context);
  const unchanged = counts();
  await dismissOne(context);
  await retellReview(plan, 'delivery-2', context);
  await retellReview(plan, 'delivery-2', context);
  const { check, scan } = readToldFindings(shop, 1, login).told;
  expect({
    ...{ before, unchanged, after: counts(), check, scan },
    annotation: shop.checkRuns().at(-1)?.annotations,
    open: await context.store.list(stateKeys.open('')),
  }).toEqual({
    ...{ before: [0, 0], unchanged: [0, 0], after: [1, 1] },
    check: {
      counts: '1 low',
      open: [{ line: 'low a.txt:2 Line 2' }],
      settled: '1 dismissed',
      unended: [],
    },
    scan: [{ id: '2'.repeat(16), line: 'low a.txt:2 Line 2' }],
    // The record has only the beginning of the text, and one line.
    annotation: [
      {
        ...{ path: 'a.txt', start_line: 1, end_line: 2, annotation_level: 'notice' },
        ...{ title: 'low: Line 2', message: 'Two, whole.' },
      },
    ],
    open: [],
  });
});

test('nothing is kept, and nothing told again, where stored state could be forged', async () => {
  const context = await reviewed(false);
  await dismissOne(context);
  const before = shop.checkRuns().length;
  await retellReview(plan, null, context);
  expect([await context.store.get(stateKeys.lastReview(1)), shop.checkRuns().length - before]).toEqual([
    null,
    0,
  ]);
});
