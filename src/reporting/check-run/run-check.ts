import { setTimeout as sleep } from 'node:timers/promises';
import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { CheckEnd, OpenRun } from '../../contract/open-run.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import { isReview } from '../../contract/work-of.ts';
import { isOutage } from '../../github/api-errors.ts';
import { repoOf } from '../../github/api-target.ts';
import { createHunkMap } from '../diff/hunk-map.ts';
import { reportableFindings } from '../findings/reportable-findings.ts';
import { readApiRefusal } from '../posting/api-failure.ts';
import type { PublishLog, PublishPorts } from '../posting/ports.ts';
import { claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { foldProgress, type ProgressView, renderCost, startingView } from '../progress/render-progress.ts';
import type { Published } from '../report/published.ts';
import { successWord } from '../report/success-word.ts';
import { openFindings } from '../review/fold-findings.ts';
import { publicCut } from '../text/public-text.ts';
import {
  type Annotation,
  checkActions,
  checkAnnotations,
  checkConclusion,
  checkSummary,
  checkTitle,
} from './check-output.ts';
import {
  checkId,
  checkName,
  commitStatus,
  findCheck,
  type OpenCheck,
  readStatus,
  writeStatus,
} from './find-check.ts';

/** The check of a run on its commit. Refusals by GitHub are logged, never thrown. */
export interface RunCheck {
  /** Receives every event; an update is made now and then. */
  update(event: RunEvent): void;
  finish(outcome: Outcome, published: Published): Promise<void>;
  /** The run failed, with the cause. */
  fail(message: string): Promise<void>;
  /** The end that is still to be written because GitHub was down; else null. */
  pendingEnd(): OpenRun['check'];
}

export interface RunCheckPorts {
  /** Authorised for one of the two: a check run, or, where that is not allowed, a commit status. */
  readonly octokit: Octokit;
  readonly kind: 'check' | 'status';
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: PublishLog;
  readonly runUrl: string | null;
  readonly config: Config;
  readonly pullRequestDiff: string | null;
  /** Milliseconds; another clock in tests. */
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** GitHub Docs, "Update a check run": 50 annotations a request, which add up. */
const mostAnnotations = 50;
/** A check run need not be current to the second. */
const updateEveryMs = 30_000;

/** Starts the check of a run, once per run. Null if GitHub does not allow it. */
export async function startRunCheck(plan: RunPlan, ports: RunCheckPorts): Promise<RunCheck | null> {
  const opened = ports.kind === 'check' ? await openCheck(plan, ports) : 'refused';
  if (opened === 'refused') return openStatus(plan, ports);
  return opened === 'down' ? laterCheck(plan, ports) : checkHandle(opened.done, plan, ports);
}

async function openCheck(plan: RunPlan, ports: RunCheckPorts): Promise<WriteResult<OpenCheck>> {
  const { octokit, runUrl } = ports;
  const make = async (): Promise<OpenCheck> => {
    const { data } = await octokit.rest.checks.create({
      ...repoOf(plan),
      ...{ name: checkName(plan), head_sha: plan.checkout.sha, external_id: checkId(plan) },
      status: 'in_progress',
      started_at: new Date((ports.now ?? Date.now)()).toISOString(),
      ...(runUrl === null ? {} : { details_url: runUrl }),
      output: { title: 'Running', summary: 'The run has begun.' },
      request: withoutRetries,
    });
    return { id: data.id, annotations: 0, ended: null };
  };
  return persist('the check run', plan, { ...ports, waits: [] }, () =>
    postOnce(() => findCheck(plan, ports), make, claimsOn('check-run', plan, ports)),
  );
}

/** A check run that may not exist because GitHub was down. It is looked up at the end. */
function laterCheck(plan: RunPlan, ports: RunCheckPorts): RunCheck {
  let handle: RunCheck | null = null;
  let pendingEnd: CheckEnd | null = null;
  const end = async (checkEnd: CheckEnd, write: (check: RunCheck) => Promise<void>) => {
    pendingEnd = checkEnd;
    const opened = await openCheck(plan, ports);
    if (opened === 'down') return;
    pendingEnd = null;
    if (opened === 'refused') return;
    handle = checkHandle(opened.done, plan, ports);
    await write(handle);
  };
  return {
    update: () => undefined,
    finish: (outcome, published) =>
      end(summaryOf(outcome, published, plan, ports), (check) => check.finish(outcome, published)),
    fail: (message) => end(failedEnd(message), (check) => check.fail(message)),
    pendingEnd: () => handle?.pendingEnd() ?? (pendingEnd && { kind: 'check', end: pendingEnd }),
  };
}

/** Returns the end of the check of a failed run. */
export const failedEnd = (message: string): CheckEnd => ({
  conclusion: 'neutral',
  title: 'Failed',
  summary: publicCut(message, 60_000, '…'),
});

function checkWriter(check: OpenCheck, plan: RunPlan, ports: RunCheckPorts) {
  const { checks } = ports.octokit.rest;
  const at = { ...repoOf(plan), check_run_id: check.id };
  const update = (body: Record<string, unknown>) => checks.update({ ...at, ...body });
  /** Sends an update after which the check has so many annotations. A retry looks first. */
  const send = (annotations: number, body: Record<string, unknown>) =>
    persist('the check run', plan, ports, async (again) => {
      const { data } = again ? await checks.get(at) : { data: null };
      const isEnd = body.status === 'completed';
      const has = data !== null && data.output.annotations_count >= annotations;
      if (!has || (isEnd && data.status !== 'completed')) await update(body);
    });
  return { update, send };
}

function checkHandle(check: OpenCheck, plan: RunPlan, ports: RunCheckPorts): RunCheck {
  const { now = Date.now } = ports;
  const { update, send } = checkWriter(check, plan, ports);
  let view = startingView;
  let last = now();
  let sending: Promise<unknown> = Promise.resolve();
  let over = false;
  let pendingEnd: CheckEnd | null = null;
  const end = async (checkEnd: CheckEnd, annotations: number, more: Record<string, unknown>) => {
    const { conclusion, title, summary } = checkEnd;
    const body = { status: 'completed', completed_at: new Date(now()).toISOString(), conclusion };
    const sent = await send(annotations, {
      ...body,
      ...more,
      output: { title, summary, ...asObject(more.output) },
    });
    pendingEnd = sent === 'down' ? checkEnd : null;
  };
  return {
    update(event) {
      view = foldProgress(view, event);
      if (over || now() - last < updateEveryMs) return;
      last = now();
      const output = progressOutput(view);
      // An update that fails is out of date by the next one.
      const once = { ...ports, waits: [] };
      sending = sending
        .then(() => (over ? null : persist('the check run', plan, once, () => update({ output }))))
        .catch(() => null);
    },
    async finish(outcome, published) {
      const { findings, title, summary, conclusion } = summaryOf(outcome, published, plan, ports);
      const all = checkAnnotations(findings);
      const annotations = all.slice(check.annotations);
      const batches = batchesOf(annotations);
      const final = batches.pop() ?? [];
      over = true;
      await sending;
      const { ended } = check;
      if (ended?.conclusion === conclusion && ended.title === title && annotations.length === 0) return;
      let sum = check.annotations;
      for (const batch of batches) {
        sum += batch.length;
        await send(sum, { output: { title, summary, annotations: batch } });
      }
      const actions = checkActions(outcome, plan);
      await end({ title, summary, conclusion }, all.length, {
        output: final.length === 0 ? undefined : { annotations: final },
        actions: actions.length === 0 ? undefined : actions,
      });
    },
    async fail(message) {
      over = true;
      await sending;
      await end(failedEnd(message), 0, {});
    },
    pendingEnd: () => pendingEnd && { kind: 'check', end: pendingEnd },
  };
}

function batchesOf(annotations: readonly Annotation[]): Annotation[][] {
  const batches: Annotation[][] = [];
  for (let start = 0; start < annotations.length; start += mostAnnotations)
    batches.push(annotations.slice(start, start + mostAnnotations));
  return batches;
}

function progressOutput({ turn, maxTurns, costUsd }: ProgressView): { title: string; summary: string } {
  const turns = maxTurns === null ? `${turn}` : `${turn} of ${maxTurns}`;
  const cost = costUsd === null || costUsd === 0 ? '' : `, ${renderCost(costUsd)} so far`;
  return { title: `Running, turn ${turn}`, summary: `Turn ${turns}${cost}.` };
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function summaryOf(outcome: Outcome, published: Published, plan: RunPlan, ports: RunCheckPorts) {
  const { config, pullRequestDiff } = ports;
  const settings = config.review ?? {};
  const reportable = () =>
    reportableFindings(outcome.findings, settings, createHunkMap(pullRequestDiff ?? ''));
  // A review knows what is open. Another run counts all its findings.
  const told = isReview(plan) ? published.told : undefined;
  const findings = told === undefined ? reportable() : openFindings(told).map(({ finding }) => finding);
  const open = findings.map(({ severity }) => severity);
  return {
    findings,
    title: checkTitle(outcome, open, successWord(outcome, plan, published)),
    summary: checkSummary(outcome, findings, plan, published),
    conclusion: checkConclusion(outcome, open, settings),
  };
}

/** A commit status, which has a state, one line and a link; the newest of a name counts. */
async function openStatus(plan: RunPlan, ports: RunCheckPorts): Promise<RunCheck | null> {
  const { runUrl } = ports;
  let pendingEnd: CheckEnd | null = null;
  const send = (checkEnd: CheckEnd | null, url: string | null, waits?: readonly number[]) =>
    persist('the commit status', plan, waits === undefined ? ports : { ...ports, waits }, () =>
      writeStatus(plan, { ...commitStatus(checkEnd), url }, ports),
    );
  // An earlier attempt may already have written how the run ended.
  const begun = stateKeys.making(plan.run_id, 'status');
  if ((await ports.store.get(begun)) === null) {
    if ((await send(null, runUrl, [])) === 'refused') return null;
    await ports.store.set(begun, '1');
  }
  const end = async (checkEnd: CheckEnd, url: string | null) => {
    pendingEnd = (await send(checkEnd, url)) === 'down' ? checkEnd : null;
  };
  return {
    update: () => undefined,
    async finish(outcome, published) {
      const { findings: _, ...checkEnd } = summaryOf(outcome, published, plan, ports);
      await end(
        checkEnd,
        published.question?.url ?? published.approval?.url ?? published.comment?.url ?? runUrl,
      );
    },
    fail: (message) => end({ ...failedEnd(message), title: `Failed: ${message}` }, runUrl),
    pendingEnd: () => pendingEnd && { kind: 'status', end: pendingEnd },
  };
}

/** The result of a write. `refused`: for good. `down`: GitHub was down each time. */
type WriteResult<Result> = { readonly done: Result } | 'refused' | 'down';

interface PersistPorts {
  readonly log: PublishLog;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds before each retry. Default: 1, 4 and 15 seconds. */
  readonly waits?: readonly number[];
}

const usualWaits = [1_000, 4_000, 15_000] as const;

/**
 * Writes to GitHub, and retries while it is down. `act` gets true on a retry, since an answer may
 * have been lost. Refusals are logged; other errors are defects and thrown.
 */
export async function persist<Result>(
  what: string,
  plan: Pick<RunPlan, 'run_id'>,
  { log, wait = sleep, waits = usualWaits }: PersistPorts,
  act: (again: boolean) => Promise<Result>,
): Promise<WriteResult<Result>> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { done: await act(attempt > 0) };
    } catch (error) {
      const { status, message } = readApiRefusal(error);
      const isDown = isOutage(error);
      const delay = isDown ? waits[attempt] : undefined;
      if (delay === undefined) {
        log.warn({ run: plan.run_id, status, message }, `${what} was not taken`);
        return isDown ? 'down' : 'refused';
      }
      await wait(delay);
    }
  }
}

/**
 * Ends the check of an abandoned run, unless it has an end. Writes the stored end, else `message`.
 * Throws if GitHub refuses.
 */
export async function closeCheck(
  plan: RunPlan,
  { kind, end }: NonNullable<OpenRun['check']>,
  message: string,
  ports: Pick<PublishPorts, 'octokit' | 'ownLogin' | 'runUrl'>,
): Promise<void> {
  const { conclusion, ...output } = end ?? failedEnd(message);
  if (kind === 'status') {
    const newest = await readStatus(plan, ports);
    const status = { ...commitStatus({ conclusion, ...output }), url: ports.runUrl };
    if (newest?.state === 'pending') await writeStatus(plan, status, ports);
    return;
  }
  const check = await findCheck(plan, ports);
  if (check === null || check.ended !== null) return;
  await ports.octokit.rest.checks.update({
    ...{ ...repoOf(plan), check_run_id: check.id, status: 'completed', conclusion, output },
    completed_at: new Date().toISOString(),
  });
}
