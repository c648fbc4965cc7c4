import { knownEarlier, parseHeadRecord } from '../../contract/known-head.ts';
import type { RunPlan } from '../../contract/plan.ts';
import { stateKeys } from '../../contract/state-keys.ts';
import { repoOf } from '../../github/api-target.ts';
import type { Clock } from '../../github/clock.ts';
import { findSummary } from '../../reporting/findings/own-posts.ts';
import { readApiFailure } from '../../reporting/posting/api-failure.ts';
import {
  type CommentTarget,
  createOwnComment,
  deleteComment,
  editOwnComment,
  postOwnComment,
} from '../../reporting/posting/own-comment.ts';
import { renderProgress, startingView } from '../../reporting/progress/render-progress.ts';
import { type RunEnd, renderEnd } from '../../reporting/report/render-end.ts';
import { tryRemoveEyes } from '../../reporting/thread/reactions.ts';
import type { DecideContext } from '../../webhooks/authorize/decide-context.ts';
import type { GitHubContext } from '../context/broker-context.ts';
import { retryDuringOutage } from '../context/retry-during-outage.ts';
import type { Turn } from '../context/turn.ts';
import { isClosedToUs } from '../prepare/show-run.ts';
import {
  claimIn,
  claimsBefore,
  claimsThread,
  isHeld,
  isUnrequested,
  type TurnClaim,
  turnOf,
  turnWaitMs,
  type WorkflowRunState,
  withoutClaim,
} from './decide-turn.ts';

interface TurnPorts {
  /** This workflow run, and the attempt at it. */
  readonly workflowRun: number;
  readonly attempt: number;
  readonly clock: Clock;
  /** Aborted when the job is cancelled. */
  readonly signal: AbortSignal;
  /** Makes the ids of planned runs. */
  readonly ids: NonNullable<DecideContext['ids']>;
  /** Notes a claim before it is posted, so that the end of the job can close it. */
  note(plan: RunPlan): Promise<void>;
  /** Reads the thread's state again after a wait. */
  reload(): Promise<void>;
  /** Prints a sentence in the log of the step. */
  say(message: string): void;
}

/** The turns of a workflow job. */
export interface JobTurns {
  /** Ids that stay the same when a request is decided on again after a wait. */
  readonly ids: DecideContext['ids'];
  take(plan: RunPlan, context: GitHubContext): Promise<Turn>;
  /** Takes back the claim of a request that is not carried out. False if it had none. */
  drop(context: GitHubContext): Promise<boolean>;
  /** Gives the turn to the next job. Call it once the state is left to later jobs. */
  release(): Promise<void>;
}

/** The claim of this job; `taken` once it was its turn. */
interface OwnClaim {
  readonly plan: RunPlan;
  readonly target: CommentTarget;
  /** Null on a thread that takes no comment. */
  readonly id: number | null;
  taken: boolean;
}

/**
 * Creates the turns of a workflow job, of which one at a time works on a thread. GitHub has no lock
 * that all jobs may write. Each job therefore posts its progress comment first, and waits until the
 * jobs with an older claim have ended. The turn of a job lasts until its end.
 */
export function createJobTurns(ports: TurnPorts): JobTurns {
  let own: OwnClaim | null = null;
  let since: number | null = null;
  return {
    ids: {
      runId: () => (own !== null && !own.taken ? own.plan.run_id : ports.ids.runId()),
      sessionId: () => ports.ids.sessionId(),
    },
    async take(plan, context) {
      if (own?.taken || plan.own_commit !== undefined || plan.thread === null) return { kind: 'now', plan };
      if (own === null && claimsThread(plan, await hasSummary(plan, context)))
        own = await claim(plan, ports, context);
      since ??= ports.clock.now();
      const held: OwnClaim | null = own;
      const how = await waitFor(plan, { own: held, since }, ports, context);
      if (how === 'waited') {
        await ports.reload();
        await keepKnownHead(plan, context);
        return { kind: 'waited' };
      }
      if (how === 'now') return begin(plan, held);
      own = null;
      await closeWaiting(plan, held, how, context);
      return { kind: 'ended', reason: how.message, failed: how.kind === 'failed' };
    },
    async drop({ github: { writer: octokit } }) {
      if (own === null || own.taken) return false;
      const { id, target } = own;
      own = null;
      if (id !== null) await deleteComment({ ...target, octokit }, id);
      return true;
    },
    async release() {
      if (own === null || own.id === null) return;
      const { id, target } = own;
      own = null;
      await releaseClaim(id, target);
    },
  };
}

/** True for a plan whose pull request has a summary of ours, which can show its result. */
async function hasSummary(
  plan: RunPlan,
  { github: { writer: octokit }, ownLogin }: GitHubContext,
): Promise<boolean> {
  return isUnrequested(plan) && (await findSummary(plan, octokit, ownLogin)) !== null;
}

/**
 * Stores that the head was there before the wait, at the time of the request. The run before may
 * belong to a later request, and its commit hides since when its base is known.
 */
async function keepKnownHead(
  { thread, checkout, triggered_at: at }: RunPlan,
  { store }: GitHubContext,
): Promise<void> {
  if (thread?.kind !== 'pull_request') return;
  const key = stateKeys.head(thread.number);
  const record = knownEarlier(parseHeadRecord(await store.get(key)), { sha: checkout.sha, at });
  if (record !== null) await store.set(key, JSON.stringify(record));
}

/** Begins the turn of a plan, which gets the mark of its claim. */
function begin(plan: RunPlan, own: OwnClaim | null): Turn {
  if (own === null) return { kind: 'now', plan };
  own.taken = true;
  return { kind: 'now', plan: { ...plan, turn: own.plan.turn } };
}

/**
 * Waits while another job has the turn. `since` is the time in milliseconds from which the wait
 * counts. Returns how the wait ended, if the turn never came.
 */
async function waitFor(
  plan: RunPlan,
  { own, since }: { readonly own: OwnClaim | null; readonly since: number },
  ports: TurnPorts,
  context: GitHubContext,
): Promise<'now' | 'waited' | RunEnd> {
  const { clock, signal, say } = ports;
  const longestMs = (plan.limits.timeout_seconds ?? 3_600) * 1_000;
  for (let looks = 0; ; looks += 1) {
    if (signal.aborted) return cancelled;
    const holder = await holderBefore(plan, own?.id ?? null, ports, context);
    if (holder === null) return looks === 0 ? 'now' : 'waited';
    if (clock.now() - since >= longestMs) return tooLong(longestMs);
    if (looks === 0) {
      const page = pageOf(holder, context, plan);
      say(`Another run works on the thread: ${page}. This one waits until it has ended.`);
      await showWaiting(own, page, context);
    }
    await pause(turnWaitMs(looks), clock, signal);
  }
}

/** Returns the address of the workflow run that holds a claim. */
function pageOf({ workflowRun }: TurnClaim, { serverUrl }: GitHubContext, { repository }: RunPlan): string {
  return `${serverUrl}/${repository.owner}/${repository.name}/actions/runs/${workflowRun}`;
}

/** Closes the comment of a request whose turn never came. */
async function closeWaiting(
  plan: RunPlan,
  own: OwnClaim | null,
  end: RunEnd,
  { github: { writer: octokit }, store, ownLogin, log, runUrl }: GitHubContext,
): Promise<void> {
  const target = own && { ...own.target, plan: { ...own.plan, turn: undefined } };
  if (own !== null && target !== null && own.id !== null) {
    // Nobody waits for the answer of a review that nobody requested.
    if (isUnrequested(plan)) await deleteComment({ ...target, octokit }, own.id);
    else await editOwnComment(target, 'progress', own.id, renderEnd(end, runUrl));
  }
  await tryRemoveEyes(plan, { octokit, ownLogin, store, log });
}

const cancelled: RunEnd = { kind: 'cancelled', message: 'The workflow’s run was cancelled.' };

const tooLong = (milliseconds: number): RunEnd => ({
  kind: 'failed',
  message: `Another run still works on this thread after ${Math.round(milliseconds / 60_000)} minutes of waiting, so nothing was started.`,
});

/** Posts the progress comment of a run as a claim. */
async function claim(
  plan: RunPlan,
  { workflowRun, attempt, signal, note }: TurnPorts,
  { github: { writer: octokit }, ownLogin, runUrl, outageWaitsMs = [], log }: GitHubContext,
): Promise<OwnClaim | null> {
  const { thread } = plan;
  if (thread === null) return null;
  // A claim is no try at a failed build.
  const claiming = { ...plan, build: undefined, turn: turnOf(plan, workflowRun, attempt) };
  const target = { octokit, plan: claiming, thread, ownLogin };
  const text = renderProgress(startingView, runUrl);
  await note(plan);
  try {
    const { id } = await retryDuringOutage(outageWaitsMs, signal, ({ attempt: tries }) =>
      tries === 1 ? createOwnComment(target, 'progress', text) : postOwnComment(target, 'progress', text),
    );
    return { plan: claiming, target, id, taken: false };
  } catch (error) {
    if (!isClosedToUs(error)) throw error;
    log.warn({ run: plan.run_id }, 'The thread takes no comment, so that no other job can see this one.');
    return { plan: { ...claiming, turn: undefined }, target, id: null, taken: false };
  }
}

async function showWaiting(
  own: OwnClaim | null,
  page: string,
  { runUrl }: Pick<GitHubContext, 'runUrl'>,
): Promise<void> {
  if (own === null || own.id === null) return;
  const text = `${renderProgress(startingView, runUrl)}\n\n<sub>It waits for [another run](${page}) on this thread.</sub>`;
  await editOwnComment(own.target, 'progress', own.id, text);
}

/** Pages of 100 comments of the last days that are searched. */
const mostPages = 10;

/** The longest duration of a job: five days (GitHub Docs, "Actions limits"). */
const longestJobMs = 5 * 24 * 60 * 60 * 1000;

/** Returns the oldest claim before a job's own whose holder is at work; null if it is its turn. */
async function holderBefore(
  plan: RunPlan,
  own: number | null,
  { clock }: Pick<TurnPorts, 'clock'>,
  context: GitHubContext,
): Promise<TurnClaim | null> {
  const claims = claimsBefore(await readClaims(plan, context, clock.now()), own, plan);
  for (const one of claims)
    if (isHeld(one, await readWorkflowRun(one, plan, context), clock.now())) return one;
  return null;
}

async function readClaims(
  plan: RunPlan,
  { github: { writer: octokit }, ownLogin }: GitHubContext,
  now: number,
): Promise<TurnClaim[]> {
  if (plan.thread === null) return [];
  const since = new Date(now - longestJobMs).toISOString();
  const place = { ...repoOf(plan), issue_number: plan.thread.number, since, per_page: 100 };
  const claims: TurnClaim[] = [];
  let page = 0;
  for await (const { data } of octokit.paginate.iterator(octokit.rest.issues.listComments, place)) {
    for (const comment of data) {
      const found = comment.user?.login === ownLogin ? claimIn(comment) : null;
      if (found !== null) claims.push(found);
    }
    page += 1;
    if (page === mostPages) break;
  }
  return claims;
}

/** Asks for a workflow run. Null if the token may not, and for one that GitHub does not know. */
async function readWorkflowRun(
  { workflowRun }: TurnClaim,
  plan: RunPlan,
  { github: { writer: octokit } }: GitHubContext,
): Promise<WorkflowRunState> {
  try {
    const { data } = await octokit.rest.actions.getWorkflowRun({ ...repoOf(plan), run_id: workflowRun });
    return { isOver: data.status === 'completed', attempt: data.run_attempt ?? 1 };
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || ![403, 404].includes(failure.status)) throw error;
    return null;
  }
}

/** Edits the comment of a run that is over. One that was deleted claims nothing. */
async function releaseClaim(comment_id: number, { octokit, plan }: CommentTarget): Promise<void> {
  const at = { ...repoOf(plan), comment_id };
  try {
    const { data } = await octokit.rest.issues.getComment(at);
    const body = withoutClaim(data.body ?? '');
    if (body !== data.body) await octokit.rest.issues.updateComment({ ...at, body });
  } catch (error) {
    if (readApiFailure(error)?.status !== 404) throw error;
  }
}

/** Waits, but no longer than until an abort. */
function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  // A signal that aborted during the look before sends no further event.
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.later(milliseconds, go);
    function go() {
      cancel();
      signal.removeEventListener('abort', go);
      resolve();
    }
    signal.addEventListener('abort', go);
  });
}
