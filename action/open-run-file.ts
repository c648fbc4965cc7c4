import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { secretValues } from '../src/config/secret-values.ts';
import { parseJson } from '../src/contract/json.ts';
import { RunPlan } from '../src/contract/plan.ts';
import { createOctokit } from '../src/github/create-octokit.ts';
import { ledgersOf, renderBrokenRun } from '../src/pipeline/finish/broken-run.ts';
import { createRedactor } from '../src/redaction/redact.ts';
import { closeCheck } from '../src/reporting/check-run/run-check.ts';
import { readApiFailure } from '../src/reporting/posting/api-failure.ts';
import { editOwnComment, findOwnComment } from '../src/reporting/posting/own-comment.ts';
import { isAtWork } from '../src/reporting/progress/render-progress.ts';
import { type RunEnd, renderEnd } from '../src/reporting/report/render-end.ts';
import { removeEyes } from '../src/reporting/thread/reactions.ts';
import { createMemoryStateStore } from '../src/state/memory-state-store.ts';
import { readInputs } from './inputs.ts';
import { type Job, readJob } from './job.ts';
import type { StepLog } from './step-log.ts';

/** A run that a step has begun. */
const OpenRunFile = z.object({ plan: RunPlan, ownLogin: z.string() });

type Place = Pick<Job, 'temporaryFolder'>;

/** The folder is hidden from every sandbox. */
const fileOf = ({ temporaryFolder }: Place): string => path.join(temporaryFolder, 'anode-open-run.json');

/**
 * Writes down a run that begins. Returns false if the system refuses, such as on a full disk: the
 * run reports that itself.
 */
export async function noteOpenRun(plan: RunPlan, ownLogin: string, job: Place): Promise<boolean> {
  return writeFile(fileOf(job), JSON.stringify({ plan, ownLogin }), { mode: 0o600 }).then(
    () => true,
    () => false,
  );
}

/** Deletes the note: the step has closed all that it opened. */
export async function forgetOpenRun(job: Place): Promise<void> {
  await rm(fileOf(job), { force: true });
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Ends comment, check and reaction of a run whose process was killed: GitHub gives a cancelled step
 * some seconds. The comment gets the cause and what the run had done. Does nothing after a step
 * that came to its end. Refusals by GitHub are only logged.
 */
export async function closeOpenRun(
  environment: Environment,
  { log, isCancelled }: { readonly log: StepLog; readonly isCancelled: boolean },
): Promise<void> {
  const job = await readJob(environment);
  const text = await readFile(fileOf(job), 'utf8').catch(() => null);
  const { data: open } = OpenRunFile.safeParse(text === null ? null : parseJson(text));
  if (open === undefined) return;
  await forgetOpenRun(job);
  const end: RunEnd = isCancelled
    ? { kind: 'cancelled', message: 'The workflow’s run was cancelled.' }
    : { kind: 'failed', message: 'The process of the run was ended in the middle of it.' };
  for (const close of [closeComment, closeCheckRun])
    try {
      await close(open, end, { job, environment });
    } catch (error) {
      const failure = readApiFailure(error);
      if (failure === null) throw error;
      log.warning(`The end of the run could not be told: ${failure.message}`);
    }
}

interface EndSurroundings {
  readonly job: Job;
  readonly environment: Environment;
}

function clientOf({ job, environment }: EndSurroundings) {
  const inputs = readInputs(environment);
  const secrets = [
    ...secretValues({ ...environment, ...inputs.modelEnvironment }, {}),
    ...[inputs.githubToken, inputs.stateSecret].filter((secret) => secret !== null),
  ];
  const posting = { redact: createRedactor(secrets) };
  return { secrets, octokit: createOctokit({ apiUrl: job.apiUrl, token: inputs.githubToken, posting }) };
}

async function closeComment(
  { plan, ownLogin }: z.infer<typeof OpenRunFile>,
  end: RunEnd,
  surroundings: EndSurroundings,
): Promise<void> {
  if (plan.thread === null) return;
  const { job } = surroundings;
  const { secrets, octokit } = clientOf(surroundings);
  const target = { octokit, plan, thread: plan.thread, ownLogin };
  const comment = await findOwnComment(target, 'progress');
  if (comment !== null && isAtWork(comment.body)) {
    const report = (await reportOf(plan, end, { job, secrets })) ?? renderEnd(end, job.runUrl);
    await editOwnComment(target, 'progress', comment.id, report);
  }
  await removeEyes(plan, { octokit, ownLogin, store: createMemoryStateStore() });
}

/** Ends the check of a run on its commit. Few workflows give the right to one. */
async function closeCheckRun(
  { plan, ownLogin }: z.infer<typeof OpenRunFile>,
  end: RunEnd,
  surroundings: EndSurroundings,
): Promise<void> {
  if (plan.thread?.kind !== 'pull_request') return;
  const { octokit } = clientOf(surroundings);
  const { runUrl } = surroundings.job;
  const check = { kind: 'check', end: null } as const;
  try {
    await closeCheck(plan, check, renderEnd(end, runUrl), { octokit, ownLogin, runUrl });
  } catch (error) {
    if (readApiFailure(error)?.status !== 403) throw error;
  }
}

/** Renders what the run had done; null if it had not begun. */
async function reportOf(
  plan: RunPlan,
  end: RunEnd,
  { job, secrets }: { readonly job: Job; readonly secrets: readonly string[] },
): Promise<string | null> {
  const at = (name: string) => path.join(job.temporaryFolder, name);
  for (const tenant of await readdir(at('anode-runs')).catch(() => [])) {
    const ledgers = await ledgersOf(path.join(at('anode-runs'), tenant), plan.run_id);
    const checkoutsFolder = path.join(at('anode-checkouts'), tenant);
    const left = { checkoutsFolder, secrets, runUrl: job.runUrl };
    const report = await renderBrokenRun(ledgers, plan, { ...end, ...left });
    if (report !== null) return report;
  }
  return null;
}
