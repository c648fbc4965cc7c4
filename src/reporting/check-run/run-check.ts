import type { Octokit } from '@octokit/rest';
import type { Config } from '../../config/schema.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { RunPlan } from '../../contract/plan.ts';
import type { RunEvent } from '../../contract/run-event.ts';
import type { StateStore } from '../../contract/session.ts';
import { createHunkMap } from '../diff/hunk-map.ts';
import { heardFindings } from '../findings/heard-findings.ts';
import { readApiFailure } from '../posting/api-failure.ts';
import type { Log } from '../posting/log.ts';
import { claimKey, claimsOn, postOnce, withoutRetries } from '../posting/post-once.ts';
import { foldProgress, startingView } from '../progress/progress-view.ts';
import { renderCost } from '../progress/render-progress.ts';
import type { Published } from '../report/published.ts';
import { cutText, oneLine } from '../text/markdown.ts';
import { publicText } from '../text/public-text.ts';
import {
  type Annotation,
  checkActions,
  checkAnnotations,
  checkConclusion,
  checkSummary,
  checkTitle,
} from './check-output.ts';

/** How a run shows itself on its commit. Nothing of it throws for what GitHub refuses, which is logged. */
export interface RunCheck {
  /** Told of every event; an update is made now and then. */
  update(event: RunEvent): void;
  finish(outcome: Outcome, published: Published): Promise<void>;
  /** The run broke, in words. */
  fail(words: string): Promise<void>;
}

export interface RunCheckPorts {
  /** Authorised for one of the two: a check run, or, where that is not allowed, a commit status. */
  readonly octokit: Octokit;
  readonly kind: 'check' | 'status';
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: Log;
  readonly runUrl: string | null;
  readonly config: Config;
  readonly pullRequestDiff: string | null;
  /** Milliseconds; another clock in tests. */
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** GitHub Docs, "Update a check run": 50 annotations a request, which add up. */
const mostAnnotations = 50;
/** Nobody looks at a check run from second to second. */
const updateEveryMs = 30_000;

/** What a run is called on its commit. */
const checkName = (plan: Pick<RunPlan, 'verb'>): string => `anode ${plan.verb}`;

/**
 * A check run is known by its run, and names the thread, as events on a fork's head name no pull request. Only the app
 * that made it can write that.
 */
const checkId = (plan: Pick<RunPlan, 'run_id' | 'thread'>): string =>
  `${plan.run_id}/${plan.thread?.number ?? 0}`;

/** Shows that a run goes on, once however often it is called for the run. Null where GitHub does not allow it. */
export async function startRunCheck(plan: RunPlan, ports: RunCheckPorts): Promise<RunCheck | null> {
  const given = ports.kind === 'check' ? await openCheck(plan, ports) : null;
  if (given !== null) return checkHandle(given, plan, ports);
  return openStatus(plan, ports);
}

interface OpenCheck {
  readonly id: number;
  /** How many annotations it has: an earlier publisher may have died between two batches. */
  readonly annotations: number;
  /** How it ended, where an earlier publisher came to say so. */
  readonly ended: { readonly conclusion: string | null; readonly title: string | null } | null;
}

const place = ({ repository }: RunPlan) => ({ owner: repository.owner, repo: repository.name });

async function openCheck(plan: RunPlan, ports: RunCheckPorts): Promise<OpenCheck | null> {
  const { octokit, ownLogin, runUrl } = ports;
  const external_id = checkId(plan);
  const find = async () => {
    const all = await octokit.paginate(octokit.rest.checks.listForRef, {
      ...place(plan),
      ...{ ref: plan.checkout.sha, check_name: checkName(plan), filter: 'all' as const, per_page: 100 },
    });
    const own = all.find((one) => one.external_id === external_id && `${one.app?.slug}[bot]` === ownLogin);
    if (own === undefined) return null;
    const { id, status, conclusion, output } = own;
    const ended = status === 'completed' ? { conclusion, title: output.title } : null;
    return { id, annotations: output.annotations_count, ended };
  };
  const make = async () => {
    const { data } = await octokit.rest.checks.create({
      ...place(plan),
      ...{ name: checkName(plan), head_sha: plan.checkout.sha, external_id, status: 'in_progress' as const },
      started_at: new Date((ports.now ?? Date.now)()).toISOString(),
      ...(runUrl === null ? {} : { details_url: runUrl }),
      output: { title: 'Running', summary: 'The run has begun.' },
      request: withoutRetries,
    });
    return { id: data.id, annotations: 0, ended: null };
  };
  return refusedAsNull('the check run', plan, ports, () =>
    postOnce(find, make, claimsOn('check-run', plan, ports)),
  );
}

async function refusedAsNull<Result>(
  what: string,
  plan: RunPlan,
  { log }: RunCheckPorts,
  act: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await act();
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null) throw error;
    log.warn({ run: plan.run_id, status: failure.status, message: failure.message }, `${what} was not taken`);
    return null;
  }
}

function checkHandle(check: OpenCheck, plan: RunPlan, ports: RunCheckPorts): RunCheck {
  const { octokit, now = Date.now } = ports;
  const send = (body: Record<string, unknown>) =>
    refusedAsNull('the check run', plan, ports, () =>
      octokit.rest.checks.update({ ...place(plan), check_run_id: check.id, ...body }),
    );
  let view = startingView;
  let last = now();
  let sending: Promise<unknown> = Promise.resolve();
  let over = false;
  const end = async (body: Record<string, unknown>) => {
    over = true;
    await sending;
    await send({ status: 'completed', completed_at: new Date(now()).toISOString(), ...body });
  };
  return {
    update(event) {
      view = foldProgress(view, event);
      if (over || now() - last < updateEveryMs) return;
      last = now();
      const turns = view.maxTurns === null ? `${view.turn}` : `${view.turn} of ${view.maxTurns}`;
      const cost = view.costUsd === null ? '' : `, ${renderCost(view.costUsd)} so far`;
      const output = { title: `Running, turn ${view.turn}`, summary: `Turn ${turns}${cost}.` };
      // Late news is no news: where one update is under way, the next waits for it and no longer.
      sending = sending.then(() => (over ? null : send({ output }))).catch(() => null);
    },
    async finish(outcome, published) {
      const { findings, title, summary, conclusion } = summaryOf(outcome, published, plan, ports);
      const annotations = checkAnnotations(findings).slice(check.annotations);
      const batches: Annotation[][] = [];
      for (let start = 0; start < annotations.length; start += mostAnnotations)
        batches.push(annotations.slice(start, start + mostAnnotations));
      const final = batches.pop() ?? [];
      over = true;
      await sending;
      const { ended } = check;
      if (ended?.conclusion === conclusion && ended.title === title && annotations.length === 0) return;
      for (const batch of batches) await send({ output: { title, summary, annotations: batch } });
      const actions = checkActions(outcome, plan);
      const output = { title, summary, ...(final.length === 0 ? {} : { annotations: final }) };
      await end({ conclusion, output, ...(actions.length === 0 ? {} : { actions }) });
    },
    async fail(words) {
      const summary = cutText(publicText(words), 60_000, '…');
      await end({ conclusion: 'neutral', output: { title: 'Failed', summary } });
    },
  };
}

function summaryOf(outcome: Outcome, published: Published, plan: RunPlan, ports: RunCheckPorts) {
  const { config, pullRequestDiff } = ports;
  const settings = config.review ?? {};
  const findings = heardFindings(outcome.findings, settings, createHunkMap(pullRequestDiff ?? ''));
  const open = published.open ?? findings.map(({ severity }) => severity);
  return {
    findings,
    title: checkTitle(outcome, open),
    summary: checkSummary(outcome, findings, plan, published),
    conclusion: checkConclusion(outcome, open, settings),
  };
}

/** A commit status, which has a state, one line and a link; the newest of a name counts. */
async function openStatus(plan: RunPlan, ports: RunCheckPorts): Promise<RunCheck | null> {
  const { octokit, runUrl } = ports;
  const context = checkName(plan).replace(' ', '/');
  const send = (state: 'pending' | 'success' | 'failure' | 'error', words: string, url: string | null) =>
    refusedAsNull('the commit status', plan, ports, async () => {
      const description = cutText(oneLine(publicText(words)), 140, '…');
      const at = { ...place(plan), sha: plan.checkout.sha };
      const { data } = await octokit.rest.repos.listCommitStatusesForRef({
        ...place(plan),
        ref: at.sha,
        per_page: 100,
      });
      const newest = data.find((one) => one.context === context);
      if (newest?.state === state && newest.description === description) return newest;
      const target = url === null ? {} : { target_url: url };
      return octokit.rest.repos.createCommitStatus({ ...at, state, context, description, ...target });
    });
  // Where the run was begun before, the status may say already how it ended.
  const begun = `${claimKey(plan.run_id)}status`;
  if ((await ports.store.get(begun)) === null) {
    if ((await send('pending', 'Running', runUrl)) === null) return null;
    await ports.store.set(begun, '1');
  }
  return {
    update: () => undefined,
    async finish(outcome, published) {
      const { title, conclusion } = summaryOf(outcome, published, plan, ports);
      const state = conclusion === 'failure' ? 'failure' : 'success';
      await send(state, title, published.comment?.url ?? runUrl);
    },
    async fail(words) {
      await send('success', `Failed: ${words}`, runUrl);
    },
  };
}
