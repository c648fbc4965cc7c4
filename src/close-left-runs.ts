import type { Octokit } from '@octokit/rest';
import { parseJson } from './contract/json.ts';
import { OpenRun, openRuns, stopKey } from './contract/open-run.ts';
import type { StateStore } from './contract/session.ts';
import { readApiFailure } from './reporting/posting/api-failure.ts';
import type { Log } from './reporting/posting/log.ts';
import { editOwnComment, markedBody, postOwnComment } from './reporting/posting/own-comment.ts';
import { endControls } from './reporting/progress/controls-comment.ts';
import { isProgress } from './reporting/progress/render-progress.ts';
import { renderEnd } from './reporting/report/render-end.ts';
import { tryRemoveEyes } from './reporting/thread/remove-eyes.ts';

/** What closing needs from the root. */
export interface LeftRunPorts {
  readonly store: StateStore;
  /** Whether the delivery that a run belongs to is still to be handled, or is being handled by any process. */
  readonly isPending: (deliveryId: string) => Promise<boolean>;
  /** With a token that writes to the repository of a run. */
  readonly octokitFor: (run: OpenRun) => Promise<Octokit>;
  readonly ownLogin: string;
  readonly log: Log;
}

/**
 * Closes the comments of runs that nobody works on any more, because their process died too often or because GitHub could
 * not be reached when they ended. What GitHub does not take now is tried again the next time: true where something is left for that.
 */
export async function closeLeftRuns(ports: LeftRunPorts): Promise<boolean> {
  const { store, log } = ports;
  let left = false;
  for (const key of await store.list(openRuns)) {
    const run = await readLeft(key, ports);
    if (run === null) continue;
    try {
      await closeRun(run, ports);
    } catch (error) {
      const failure = readApiFailure(error);
      if (failure === null) throw error;
      log.warn({ run: run.plan.run_id, status: failure.status }, 'The comment of a run could not be closed.');
      // Gone, locked or not ours any more: waiting does not help.
      if (![403, 404, 410].includes(failure.status)) {
        left = true;
        continue;
      }
    }
    await store.delete(key);
    await store.delete(stopKey(run.plan.run_id));
  }
  return left;
}

/** The run that is kept there, where nobody is going to close it. */
async function readLeft(key: string, { store, isPending, log }: LeftRunPorts): Promise<OpenRun | null> {
  const text = await store.get(key);
  if (text === null) return null;
  const parsed = OpenRun.safeParse(parseJson(text));
  if (!parsed.success) {
    log.warn({ key }, 'An open run cannot be read; it is forgotten.');
    await store.delete(key);
    return null;
  }
  const { delivery_id } = parsed.data.plan.source;
  if (delivery_id === null || (await isPending(delivery_id))) return null;
  // It may have been closed while we looked: a run forgets itself before its delivery is done.
  return (await store.get(key)) === text ? parsed.data : null;
}

async function closeRun(run: OpenRun, ports: LeftRunPorts): Promise<void> {
  const { plan } = run;
  if (plan.thread === null) return;
  const { ownLogin, log } = ports;
  const octokit = await ports.octokitFor(run);
  const body = run.body ?? renderEnd({ kind: 'failed', message: unfinished }, run.run_url);
  const place = { octokit, plan, thread: plan.thread, ownLogin };
  const posted = await postOwnComment(place, 'progress', body);
  const wanted = markedBody(plan, 'progress', body);
  if (posted.body !== wanted && (run.body !== null || isProgress(posted.body)))
    await editOwnComment(place, 'progress', posted.id, body);
  await tryRemoveEyes(plan, { octokit, ownLogin, log });
  await endControls(plan, [], { octokit, store: ports.store, ownLogin, log });
}

const unfinished =
  'The process that worked on this ended in the middle of it, each time it was tried, or could not reach GitHub to tell how it went.';
