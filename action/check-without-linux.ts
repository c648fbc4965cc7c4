import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Octokit } from '@octokit/rest';
import { runChecks } from '../src/checks/run-checks.ts';
import { effectiveConfig } from '../src/config/effective-config.ts';
import type { CheckResult } from '../src/contract/checks.ts';
import { ConfigError } from '../src/contract/errors.ts';
import type { Finding } from '../src/contract/findings.ts';
import { presetFrom } from '../src/contract/levels.ts';
import type { RunPlan } from '../src/contract/plan.ts';
import type { RunEntry } from '../src/contract/run-ledger.ts';
import { noUsage } from '../src/contract/usage-sums.ts';
import { writeSarif } from '../src/pipeline/publish/review-sarif.ts';
import { renderSarif } from '../src/reporting/check-run/sarif.ts';
import { decideFailure } from '../src/reporting/findings/decide-failure.ts';
import { reportableFindings } from '../src/reporting/findings/reportable-findings.ts';
import { foldOutcome } from '../src/reporting/fold-outcome.ts';
import { renderSummary } from '../src/reporting/report/render-summary.ts';
import { readRepositoryConfig } from '../src/webhooks/authorize/read-config.ts';
import { integerAt } from '../src/webhooks/triggers/payload-reader.ts';
import { type FetchedDiff, fetchCheckedDiff } from './fetch-checked-diff.ts';
import type { ActionInputs } from './inputs.ts';
import type { Job } from './job.ts';
import type { StepLog } from './step-log.ts';
import { repositoryRef, stepPlan } from './step-plan.ts';
import { threadEvent } from './workflow-events.ts';
import { endStep } from './write-outputs.ts';

/**
 * Runs the checks without a model on the pull request of a job that is not on Linux. It reads
 * GitHub's API and no file of the machine. The result is in the summary, the outputs and the SARIF
 * file. Throws `ConfigError` with `problem`, a sentence on the runner, for any other work.
 */
export async function checkWithoutLinux(
  { job, inputs, octokit }: { readonly job: Job; readonly inputs: ActionInputs; readonly octokit: Octokit },
  { problem, log }: { readonly problem: string; readonly log: StepLog },
): Promise<void> {
  const pull_number = integerAt(job.payload, 'pull_request', 'number');
  const isReview = threadEvent(job.eventName) === 'pull_request' && inputs.mode !== 'issue';
  const isTask = inputs.prompt !== null || inputs.promptFile !== null;
  if (isTask || !isReview || pull_number === null || inputs.share !== null) throw new ConfigError(problem);
  log.warning(`${problem} ${onlyChecks}`);
  const { owner, repository: repo } = job;
  const { data } = await octokit.rest.repos.get({ owner, repo });
  const repository = repositoryRef(job, data);
  const at = { owner, name: repo, branch: repository.default_branch };
  const { config: own, source } = await readRepositoryConfig(octokit, at, 'action');
  const { config, notes } = effectiveConfig(inputs.overrides, own);
  for (const note of notes) log.warning(note);
  const fetched = await fetchCheckedDiff(octokit, { owner, repo, pull_number });
  const settings = config.review?.checks ?? {};
  const result = await runChecks({ diff: fetched.diff, settings, linters: noLinters });
  const findings = reportableFindings(result.findings, config.review ?? {}, fetched.map);
  const facts = { job, inputs: { ...inputs, mode: 'review' as const }, config, repository, source };
  const step = stepPlan('', facts);
  const plan: RunPlan = { ...step, checkout: { ...step.checkout, sha: fetched.sha } };
  const outcome = outcomeOf(plan, { ...result, findings }, `${problem} ${onlyChecks}`);
  const executionFile = path.join(job.temporaryFolder, 'anode-runs', plan.run_id, 'ledger.jsonl');
  await mkdir(path.dirname(executionFile), { recursive: true });
  await writeFile(
    executionFile,
    outcome.lines.map((line) => `${log.redact(JSON.stringify(line))}\n`).join(''),
  );
  const published = { issues: [], downgrades: [], failures: [], patch: '' };
  await endStep(log, {
    ...{ outcome: outcome.outcome, plan, published: null, executionFile, reportFile: null },
    summary: renderSummary(outcome.outcome, { plan, runUrl: job.runUrl, published, findings, carried: 0 }),
    sarifFile: await saveSarif(findings, fetched, { job, inputs }),
    attestationFile: null,
    failure: decideFailure(findings, config.review?.failOn),
  });
}

const onlyChecks =
  'The pull request is reviewed by the checks without a model, and the result is in the job’s summary.';
const noLinters = 'Linters did not run: they need Linux.';

/** Folds the checks into the outcome of a run, with the lines of its ledger. */
function outcomeOf(plan: RunPlan, result: CheckResult, note: string) {
  const count = result.findings.length === 1 ? 'one thing' : `${result.findings.length} things`;
  const found = result.findings.length === 0 ? 'found nothing' : `found ${count}`;
  const entries: RunEntry[] = [
    {
      ...{ type: 'run.started', run_id: plan.run_id, session_id: plan.session_id, parent_run_id: null },
      ...{ model: 'no model: checks only', profile: 'review', preset: presetFrom(plan.preset) },
      ...{ sandbox: 'missing', prompt: '', max_turns: null, base_sha: plan.checkout.sha },
    },
    { type: 'checks', ...result, notes: [note, ...result.notes] },
    {
      ...{ type: 'run.finished', conclusion: 'success', stop: null, turns: 0, usage: noUsage },
      answer: `${result.ran.length} checks without a model looked at the change and ${found}.`,
      ...{ cost_usd: 0, duration_ms: 0 },
    },
  ];
  const now = new Date().toISOString();
  const lines = entries.map((entry, index) => ({ v: 1 as const, seq: index + 1, at: now, entry }));
  return { lines, outcome: foldOutcome(lines, { base_sha: plan.checkout.sha, patch: '', files: [] }) };
}

async function saveSarif(
  findings: readonly Finding[],
  { map, sha }: FetchedDiff,
  { job, inputs }: { readonly job: Job; readonly inputs: ActionInputs },
): Promise<string> {
  const file = path.resolve(inputs.sarifFile ?? path.join(job.temporaryFolder, 'anode.sarif'));
  const repository = `${job.serverUrl}/${job.owner}/${job.repository}`;
  await writeSarif(
    file,
    renderSarif(findings, { source: map, sha, repository, complete: true, forUpload: false }),
  );
  return file;
}
