import type { RunPlan } from '../../contract/plan.ts';
import { repoOf } from '../../github/api-target.ts';
import { failedEnd } from '../../reporting/check-run/run-check.ts';
import { readApiFailure } from '../../reporting/posting/api-failure.ts';
import type { PublishLog } from '../../reporting/posting/ports.ts';
import { isAtWork } from '../../reporting/progress/render-progress.ts';
import { renderEnd } from '../../reporting/report/render-end.ts';
import { beginsWithMarker, readMarker } from '../../reporting/text/marker.ts';
import { removeEyes } from '../../reporting/thread/reactions.ts';
import type { GitHubContext } from '../context/broker-context.ts';

type AbandonedJobContext = Pick<GitHubContext, 'github' | 'store' | 'ownLogin'> & {
  readonly log: PublishLog;
  /** Milliseconds; another clock in tests. */
  readonly now?: () => number;
};

/** A comment or check on GitHub that shows a run in progress. */
interface OpenDisplay {
  /** The page of the workflow's run. */
  readonly runUrl: string;
  /** ISO 8601. */
  readonly since: string;
  /** Says that the run is over. */
  close(): Promise<void>;
}

/** Maximum duration of a job on a self-hosted runner: five days (GitHub Docs, "Actions limits"). */
const longestJobMs = 5 * 24 * 60 * 60 * 1000;

/** Maximum pages of 100 comments that are searched. */
const mostPages = 10;

/**
 * Closes comments, check runs and reactions that killed workflow jobs left on the thread of a plan.
 * A job closes its own unless its machine died. GitHub is asked whether the workflow run is over.
 * Without the right `actions: read`, only entries older than any job are closed. Steps that the
 * token does not allow are skipped; any other refusal is logged.
 */
export async function closeAbandonedJobs(plan: RunPlan, context: AbandonedJobContext): Promise<void> {
  const ends = new Map<string, Promise<boolean>>();
  for (const find of [openComments, openChecks])
    try {
      for (const one of await find(plan, context)) {
        const ended = ends.get(one.runUrl) ?? isOver(one, plan, context);
        ends.set(one.runUrl, ended);
        if (await ended) await one.close();
      }
    } catch (error) {
      const failure = readApiFailure(error);
      if (failure === null) throw error;
      const { status } = failure;
      // Few workflows give the right to read checks.
      if (status !== 403)
        context.log.warn(
          { run: plan.run_id, status },
          'The open entries of an ended job could not be closed.',
        );
    }
}

async function openComments(
  plan: RunPlan,
  { github, store, ownLogin }: AbandonedJobContext,
): Promise<OpenDisplay[]> {
  if (plan.thread === null) return [];
  const at = repoOf(plan);
  const octokit = github.writer;
  const open: OpenDisplay[] = [];
  /** Comments so far with an 👀 reaction, which may be ours. */
  let seen: { readonly id: number; readonly kind: 'issue_comment' }[] = [];
  const pages = octokit.paginate.iterator(octokit.rest.issues.listComments, {
    ...{ ...at, issue_number: plan.thread.number, per_page: 100 },
  });
  let page = 0;
  for await (const { data } of pages) {
    for (const { id, user, body = '', created_at: since, reactions } of data) {
      if ((reactions?.eyes ?? 0) > 0 && id !== plan.trigger_comment?.id)
        seen = [...seen, { id, kind: 'issue_comment' }];
      const runUrl = /\[run\]\((\S+)\)/.exec(body)?.[1];
      if (user?.login !== ownLogin || !isOpen(body, plan) || runUrl === undefined) continue;
      const eyesSoFar = seen;
      const close = async () => {
        const now = await octokit.rest.issues.getComment({ ...at, comment_id: id });
        if (now.data.body !== body) return;
        const [marker = ''] = body.split('\n', 1);
        const text = `${marker}\n${renderEnd({ kind: 'failed', message: jobGone }, runUrl)}`;
        await octokit.rest.issues.updateComment({ ...at, comment_id: id, body: text });
        for (const trigger_comment of eyesSoFar)
          await removeEyes({ repository: plan.repository, trigger_comment }, { octokit, ownLogin, store });
      };
      open.push({ runUrl, since, close });
    }
    page += 1;
    if (page === mostPages) break;
  }
  return open;
}

/** Returns true for our comment of another run in progress. */
const isOpen = (body: string, { run_id }: RunPlan): boolean =>
  beginsWithMarker(body, 'progress') && readMarker(body, 'progress')?.run !== run_id && isAtWork(body);

async function openChecks(plan: RunPlan, { github, ownLogin }: AbandonedJobContext): Promise<OpenDisplay[]> {
  if (plan.thread?.kind !== 'pull_request') return [];
  const at = repoOf(plan);
  const octokit = github.writer;
  const { data } = await octokit.rest.checks.listForRef({
    ...{ ...at, ref: plan.checkout.sha, status: 'in_progress', filter: 'all', per_page: 100 },
  });
  const left = data.check_runs.filter(
    ({ app, external_id: id }) =>
      `${app?.slug}[bot]` === ownLogin &&
      id?.endsWith(`/${plan.thread?.number}`) &&
      !id.startsWith(plan.run_id),
  );
  return left.flatMap(({ id: check_run_id, details_url: runUrl, started_at: since }) => {
    if (runUrl === null || since === null) return [];
    const { conclusion, ...output } = failedEnd(renderEnd({ kind: 'failed', message: jobGone }, runUrl));
    const end = { status: 'completed', conclusion, output, completed_at: new Date().toISOString() } as const;
    const close = async () => {
      await octokit.rest.checks.update({ ...at, check_run_id, ...end });
    };
    return [{ runUrl, since, close }];
  });
}

/** Returns true if no job can still be working on it. */
async function isOver(
  { runUrl, since }: OpenDisplay,
  plan: RunPlan,
  context: AbandonedJobContext,
): Promise<boolean> {
  const { github, now = Date.now } = context;
  const octokit = github.writer;
  const id = /\/actions\/runs\/(\d+)$/.exec(runUrl)?.[1];
  if (id === undefined) return false;
  try {
    const { data } = await octokit.rest.actions.getWorkflowRun({ ...repoOf(plan), run_id: Number(id) });
    return data.status === 'completed';
  } catch (error) {
    const failure = readApiFailure(error);
    if (failure === null || ![403, 404].includes(failure.status)) throw error;
    return now() - Date.parse(since) > longestJobMs;
  }
}

const jobGone = 'The job that worked on this ended in the middle of it, and could not say so.';
