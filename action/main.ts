import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as core from '@actions/core';
import { eventWriter, runReport } from '../src/command-line/write-output.ts';
import { ConfigError } from '../src/contract/errors.ts';
import type { Outcome } from '../src/contract/outcome.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import type { Published } from '../src/reporting/published.ts';
import { renderSummary } from '../src/reporting/render-summary.ts';
import { createFileStateStore } from '../src/state/file-state-store.ts';
import { createLog } from '../src/webhooks/create-log.ts';
import { handleEvent } from '../src/worker.ts';
import { type ActionInputs, readInputs } from './inputs.ts';
import { type Job, readJob } from './job.ts';
import { refuseActor, runStep } from './run-step.ts';

/** Under the job's own token everything is written as this account. */
const actionsLogin = 'github-actions[bot]';

const nothingPublished = { issues: [], downgrades: [], failures: [] };

async function main(signal: AbortSignal): Promise<void> {
  const inputs = readInputs();
  const job = await readJob(process.env);
  const environment = modelEnvironment(inputs);
  const octokit = createOctokit({ apiUrl: job.apiUrl, token: inputs.githubToken });
  if (inputs.prompt === null) return onEvent(job, inputs, environment, signal);

  const refusal = await refuseActor(job, octokit);
  if (refusal !== null) {
    core.notice(`No run was started: ${refusal}`);
    return;
  }
  const listen = eventWriter('text', (text) => void process.stdout.write(text));
  const { finished, plan } = await runStep(inputs.prompt, job, inputs, octokit, {
    environment,
    listen,
    signal,
  });
  const { outcome, folder } = finished;
  const published = { ...nothingPublished, patch: outcome.changes.patch };
  const context = { plan, runUrl: job.runUrl, published, findings: outcome.findings, carried: 0 };
  await writeSummary(renderSummary(outcome, context));
  core.setOutput('execution_file', path.join(folder, 'ledger.jsonl'));
  setOutputs(outcome, null);
}

async function onEvent(
  job: Job,
  inputs: ActionInputs,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  const log = createLog('warn');
  const token = async () => inputs.githubToken;
  const handled = await handleEvent(
    { name: job.eventName, delivery_id: null, payload: job.payload },
    1,
    signal,
    {
      apiUrl: job.apiUrl,
      serverUrl: job.serverUrl,
      readToken: token,
      writeToken: token,
      store: createFileStateStore({
        folder: path.resolve(inputs.stateFolder ?? path.join(job.temporaryFolder, 'anode-state')),
        secret: inputs.stateSecret,
        onRejected: (message) => core.warning(message),
      }),
      log,
      ownLogin: actionsLogin,
      runUrl: job.runUrl,
      runsFolder: path.join(job.temporaryFolder, 'anode-runs'),
      checkoutsFolder: path.join(job.temporaryFolder, 'anode-checkouts'),
      mirrorsFolder: path.join(job.temporaryFolder, 'anode-mirrors'),
      operatorConfig: {},
      overrides: inputs.overrides,
      environment,
      // What lies in the folder could be forged by whoever can write it, so without a secret nothing waits.
      canAsk: inputs.stateFolder !== null && inputs.stateSecret !== null,
      host: 'action',
      sandbox: inputs.sandbox,
    },
  );
  if (handled.kind === 'none') {
    core.notice(`No run was started: ${handled.decision.reason}.`);
    return;
  }
  const { outcome, published, plan } = handled;
  await writeSummary(published.report);
  const file = path.join(job.temporaryFolder, `${plan.run_id}.outcome.json`);
  await writeFile(file, JSON.stringify(outcome, null, 2));
  core.setOutput('execution_file', file);
  setOutputs(outcome, published);
}

/** Keys given as inputs, over what the job's environment holds already. */
function modelEnvironment(inputs: ActionInputs): Readonly<Record<string, string | undefined>> {
  return { ...process.env, ...inputs.modelEnvironment };
}

function setOutputs(outcome: Outcome, published: Published | null): void {
  core.setOutput('conclusion', outcome.conclusion);
  core.setOutput('answer', outcome.answer);
  core.setOutput('run_id', outcome.run_id);
  core.setOutput('session_id', outcome.session_id);
  core.setOutput('structured_output', JSON.stringify(runReport(outcome)));
  core.setOutput('branch_name', published?.commit?.branch ?? '');
  core.setOutput('pull_request', published?.pull_request?.number ?? '');
  if (outcome.conclusion === 'failure') core.setFailed(outcome.stop?.message ?? 'The run failed.');
}

/** GitHub docs, "Workflow commands": what is appended to this file becomes the job's summary. */
async function writeSummary(markdown: string): Promise<void> {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file) await appendFile(file, markdown);
}

const stopped = new AbortController();
// A cancelled job gets SIGINT, then SIGTERM, and some seconds to say so on the thread.
process.once('SIGINT', () => stopped.abort());
process.once('SIGTERM', () => stopped.abort());
try {
  await main(stopped.signal);
} catch (error) {
  if (!(error instanceof ConfigError)) console.error(error);
  core.setFailed(error instanceof Error ? error.message : String(error));
}
