import { isDeepStrictEqual } from 'node:util';
import type { Octokit } from '@octokit/rest';
import { parseJson } from '../../contract/json.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import type { StateStore } from '../../contract/state-store.ts';
import {
  type ControlName,
  Controls,
  type PlacedControls,
  type SummaryBox,
} from '../../contract/thread-records.ts';
import type { Clock } from '../../github/clock.ts';
import { readApiFailure, readApiRefusal } from '../posting/api-failure.ts';
import { createOwnComment, findOwnComment } from '../posting/own-comment.ts';
import type { PublishLog } from '../posting/ports.ts';
import { renderControls } from '../progress/render-boxes.ts';
import { readSummaryBoxes, saveSummaryBoxes } from '../summary/summary-boxes.ts';
import { readSummaryComment, refreshSummary } from '../summary/summary-comment.ts';
import { writeMarker } from '../text/marker.ts';

/** The access that the controls comment needs. */
interface ControlsPorts {
  readonly octokit: Octokit;
  readonly store: StateStore;
  readonly ownLogin: string;
  readonly log: PublishLog;
}

/** The controls of a run that continues. */
interface RunningControls {
  /**
   * Removes the controls at the end of the run, or leaves a finished run's controls. `summary` says
   * what else changes below the summary. Never throws refusals of GitHub.
   */
  end(then: readonly ControlName[], summary?: SummaryEnd): Promise<void>;
  /** Displays no more boxes, and waits for an active request. */
  leave(): Promise<void>;
}

/** Runs with open suggestions. */
export interface Offering {
  /** The newest run last. */
  readonly runs: readonly string[];
  /** True if the suggestions together are worth a box. */
  readonly isEnough: boolean;
}

/** Changes below the summary at the end of a run, besides its own boxes. */
export interface SummaryEnd {
  /** The open suggestions of the thread. Default: as before. */
  readonly offering?: Offering;
  /** True for a new request: it ends older results and offers to repeat. Default: false. */
  readonly clears?: boolean;
}

/**
 * Milliseconds until a run gets its box: if wanted, soon after the progress comment; else if the
 * run is long.
 */
const wantedAfter = 2_000;
const longRun = 120_000;

/**
 * Shows a box to stop the run: in the summary of its pull request, else in a comment of its own. At
 * once if `controls` is true, never if false. Default: after some minutes, so that short runs post
 * nothing. No timer edits the comment.
 */
export function startControls(
  plan: RunPlan,
  wanted: boolean | undefined,
  {
    clock,
    stoppable = true,
    ...ports
  }: ControlsPorts & { readonly clock: Clock; readonly stoppable?: boolean },
): RunningControls {
  let pending: Promise<void> = Promise.resolve();
  let defect: unknown = null;
  const show = (): void => {
    pending = quietly(plan, ports, () => showControls(plan, ['stop'], ports)).catch((error: unknown) => {
      // No one waits for a box, so the end of the run throws the defect.
      defect = error;
    });
  };
  const after = wanted === true ? wantedAfter : longRun;
  const cancel = wanted === false || !stoppable ? () => undefined : clock.later(after, show);
  return {
    async end(then, summary) {
      cancel();
      await pending;
      if (defect !== null) throw defect;
      const boxes = await worthShowing(plan, then, wanted, ports.store);
      await endControls(plan, boxes, ports, summary);
    },
    async leave() {
      cancel();
      await pending;
    },
  };
}

/** Displays the controls of a finished run. Nothing removes them. */
export async function endControls(
  plan: RunPlan,
  then: readonly ControlName[],
  ports: ControlsPorts,
  summary: SummaryEnd = {},
): Promise<void> {
  await quietly(plan, ports, () => showControls(plan, then, ports, summary));
}

/** Shows exactly these boxes of a run, in the summary or in a comment of its own. */
async function showControls(
  plan: RunPlan,
  boxes: readonly ControlName[],
  ports: ControlsPorts,
  summary: SummaryEnd = {},
): Promise<void> {
  const isInSummary = await showInSummary(plan, boxes, summary, ports);
  if (!isInSummary && boxes.length > 0) await postControls(plan, boxes, ports);
  // The first review of a pull request had a comment of its own until it wrote the summary.
  else await removeControls(plan, ports);
}

/** Shows the boxes below the summary. Returns false for a thread without one. */
async function showInSummary(
  { thread, run_id, repository }: RunPlan,
  own: readonly ControlName[],
  { offering, clears = false }: SummaryEnd,
  { octokit, store }: Pick<ControlsPorts, 'octokit' | 'store'>,
): Promise<boolean> {
  if (!(await hasSummary(thread, store))) return false;
  const pull = thread?.number ?? 0;
  const before = await readSummaryBoxes(pull, store);
  const stays: Record<ControlName, (box: SummaryBox) => boolean> = {
    apply: () => offering === undefined,
    retry: () => !clears,
    stop: () => true,
  };
  const others = before.boxes.filter(
    (box) => stays[box.does](box) && (box.does === 'apply' || box.run_id !== run_id),
  );
  const offered = (offering?.runs ?? []).map((run) => ({ does: 'apply' as const, run_id: run }));
  const boxes = [
    ...others,
    ...offered,
    ...own.filter((does) => does !== 'apply').map((does) => ({ does, run_id })),
  ];
  const offers = offering?.isEnough ?? before.offers;
  const after = { ...before, boxes, offers, result: clears ? '' : before.result };
  if (isDeepStrictEqual(after, before)) return true;
  await saveSummaryBoxes(pull, after, store);
  return refreshSummary(pull, repository, { octokit, store });
}

async function hasSummary(thread: RunPlan['thread'], store: StateStore): Promise<boolean> {
  return thread?.kind === 'pull_request' && (await readSummaryComment(thread.number, store)) !== null;
}

/** The controls of a run as we know them; null where it has none. */
export async function readControls(store: StateStore, runId: string): Promise<Controls | null> {
  const text = await store.get(stateKeys.controls(runId));
  return text === null ? null : (Controls.safeParse(parseJson(text)).data ?? null);
}

/** Stores the current text of the comment, or the next one. */
export async function saveControls(record: Controls, store: StateStore): Promise<void> {
  await store.set(stateKeys.controls(record.run_id), JSON.stringify(record));
}

/**
 * Returns the controls after a run: all if wanted, displayed already or without a comment of their
 * own, else only `apply`.
 */
async function worthShowing(
  plan: RunPlan,
  then: readonly ControlName[],
  wanted: boolean | undefined,
  store: StateStore,
): Promise<readonly ControlName[]> {
  if (wanted === false) return [];
  const isFree = wanted === true || (await hasSummary(plan.thread, store));
  return isFree || (await readControls(store, plan.run_id)) !== null
    ? then
    : then.filter((does) => does === 'apply');
}

async function postControls(
  plan: RunPlan,
  boxes: readonly ControlName[],
  ports: ControlsPorts,
): Promise<void> {
  if (plan.thread === null) return;
  const { octokit, store, ownLogin } = ports;
  const rendered = renderControls(writeMarker('controls', { run: plan.run_id }), boxes);
  const target = { octokit, plan, thread: plan.thread, ownLogin };
  const storedId = (await readControls(store, plan.run_id))?.comment_id ?? null;
  const text = rendered.text.slice(rendered.text.indexOf('\n') + 1);
  const record: Controls = { version: 1, run_id: plan.run_id, comment_id: storedId, ...rendered };
  // Stored before it is posted: a box can be ticked at once, and only stored boxes count.
  await saveControls(record, store);
  const comment_id =
    storedId ??
    (await findOwnComment(target, 'controls'))?.id ??
    (await createOwnComment(target, 'controls', text)).id;
  if (storedId === null) await saveControls({ ...record, comment_id }, store);
  try {
    await restoreBody(octokit, plan.repository, { ...record, comment_id });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
    // A user deleted the comment, so it is not posted again.
    await store.delete(stateKeys.controls(plan.run_id));
  }
}

async function removeControls(plan: RunPlan, ports: ControlsPorts): Promise<void> {
  const { octokit, ownLogin, store } = ports;
  const controls = await readControls(store, plan.run_id);
  if (controls === null || plan.thread === null) return;
  const target = { octokit, plan, thread: plan.thread, ownLogin };
  const comment_id = controls.comment_id ?? (await findOwnComment(target, 'controls'))?.id ?? null;
  if (comment_id === null) await store.delete(stateKeys.controls(plan.run_id));
  else await dismissControls({ ...controls, comment_id }, plan.repository, ports);
}

/** Writes the result of a control into the comment, with these boxes below it. */
export async function writeControls(
  controls: PlacedControls,
  { text, boxes }: { readonly text: string; readonly boxes: readonly ControlName[] },
  repository: Pick<RunPlan['repository'], 'owner' | 'name'>,
  { octokit, store }: Pick<ControlsPorts, 'octokit' | 'store'>,
): Promise<void> {
  const marker = writeMarker('controls', { run: controls.run_id });
  const record: PlacedControls = { ...controls, ...renderControls(marker, boxes, text) };
  await saveControls(record, store);
  await restoreBody(octokit, repository, record);
}

/** Deletes the comment and its record. */
export async function dismissControls(
  controls: PlacedControls,
  { owner, name: repo }: { readonly owner: string; readonly name: string },
  { octokit, store }: Pick<ControlsPorts, 'octokit' | 'store'>,
): Promise<void> {
  await store.delete(stateKeys.controls(controls.run_id));
  try {
    await octokit.rest.issues.deleteComment({ owner, repo, comment_id: controls.comment_id });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
  }
}

/** Restores the stored text of the comment if it differs. */
export async function restoreBody(
  octokit: Octokit,
  { owner, name: repo }: { readonly owner: string; readonly name: string },
  { comment_id, text: body }: Pick<PlacedControls, 'comment_id' | 'text'>,
): Promise<void> {
  const { data } = await octokit.rest.issues.getComment({ owner, repo, comment_id });
  if (data.body !== body) await octokit.rest.issues.updateComment({ owner, repo, comment_id, body });
}

async function quietly(plan: RunPlan, { log }: ControlsPorts, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    log.warn(
      { run: plan.run_id, status: readApiRefusal(error).status },
      'The controls of the run could not be written.',
    );
  }
}
